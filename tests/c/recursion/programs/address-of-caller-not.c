// The caller's variable is not that of the call.
extern void reach_error(void);
static int f(int n, int *p) {
  int x = 5;
  if (n == 0) { *p = 7; return x; }
  int below = f(n - 1, &x);
  return below * 100 + x * 10 + (p == &x);
}
int main(void) { int x = 0; if (f(1, &x) != 570) reach_error(); return 0; }
