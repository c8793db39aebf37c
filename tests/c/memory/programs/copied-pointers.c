// A pointer that is copied with the memory around it.
extern void reach_error(void);
void *memcpy(void *, const void *, unsigned long);
int g;
struct s { int n; int *p; };
int main(void) {
  struct s a = {1, &g}, b;
  memcpy(&b, &a, sizeof a);
  *b.p = 2;
  if (g == 2) reach_error();
  return 0;
}
