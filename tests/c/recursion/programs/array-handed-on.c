// An array of a call is changed by the next one.
extern void reach_error(void);
static void f(int *a, int n) {
  int b[2] = { n, 0 };
  if (n > 0) f(b, n - 1);
  a[0] += b[0];
  a[1] += b[1] + 1;
}
int main(void) { int a[2] = { 0, 0 }; f(a, 3); if (a[0] == 6 && a[1] == 4) reach_error(); return 0; }
