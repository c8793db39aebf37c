// Sums of elements that are not negative do not decrease; they may if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define LEAST -1
#else
#define LEAST 0
#endif

int a[1000], sum[1001];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    if (a[i] < LEAST || a[i] > 1000) return 0;
  }
  sum[0] = 0;
  for (int i = 0; i < n; i++) sum[i + 1] = sum[i] + a[i];
  for (int i = 0; i < n; i++)
    if (sum[i + 1] < sum[i] || sum[i + 1] - sum[i] != a[i]) reach_error();
  return 0;
}
