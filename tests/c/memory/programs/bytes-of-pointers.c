// Pointers that are moved by bytes.
extern void reach_error(void);
int a[4];
struct s { int a, b; } s;
int main(void) {
  void *p = a;
  p = p + 4;
  if (p == &a[1] && (char *)&s.b == (char *)&s.a + 4) reach_error();
  return 0;
}
