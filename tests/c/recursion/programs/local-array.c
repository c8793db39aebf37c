// Each call has an array of its own.
extern void reach_error(void);
static int f(int n) {
  int a[3] = { n, n + 1, n + 2 };
  if (n > 0) a[n % 3] += f(n - 1);
  return a[0] + 2 * a[1] + 3 * a[n % 2];
}
int main(void) { if (f(3) == 203) reach_error(); return 0; }
