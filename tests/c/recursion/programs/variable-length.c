// An array whose length is a parameter.
extern void reach_error(void);
static int f(int n) {
  int a[n + 1];
  a[n] = n;
  if (n > 0) a[0] = f(n - 1);
  return a[n] + a[0];
}
int main(void) { if (f(2) == 5) reach_error(); return 0; }
