// An array is rotated by one place; the first element is lost if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int a[1000], before[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    before[i] = a[i];
  }
  int first = a[0];
  for (int i = 0; i + 1 < n; i++) a[i] = a[i + 1];
#ifndef WRONG
  a[n - 1] = first;
#endif
  for (int i = 0; i < n; i++)
    if (a[i] != before[(i + 1 < n) ? i + 1 : 0]) reach_error();
  return 0;
}
