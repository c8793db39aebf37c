// An array is reversed in its place, and is what a copy of it says; the middle is left alone if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define BEFORE(i, j) i + 1 < j
#else
#define BEFORE(i, j) i < j
#endif

int a[1000], before[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    before[i] = a[i];
  }
  int i = 0, j = n - 1;
  while (BEFORE(i, j)) {
    int kept = a[i];
    a[i] = a[j];
    a[j] = kept;
    i++;
    j--;
  }
  for (int k = 0; k < n; k++)
    if (a[k] != before[n - 1 - k]) reach_error();
  return 0;
}
