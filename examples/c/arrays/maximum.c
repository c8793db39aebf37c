// The largest element is not below any other one.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int largest = a[0];
  for (int i = 1; i < n; i++)
    if (a[i] > largest) largest = a[i];
  int j = __VERIFIER_nondet_int();
  if (j >= 0 && j < n && a[j] > largest) reach_error();
  return 0;
}
