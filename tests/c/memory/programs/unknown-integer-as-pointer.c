// An integer from elsewhere that is the address of a variable.
extern void reach_error(void);
int g;
static long keep(long a) { return a; }
int main(void) {
  long a = keep((long)&g);
  *(int *)a = 3;
  if (g == 3) reach_error();
  return 0;
}
