// Two sorted arrays are merged into a sorted one; the larger element comes first if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define SMALLER(x, y) ((x) >= (y))
#else
#define SMALLER(x, y) ((x) <= (y))
#endif

int a[1000], b[1000], c[2000];

int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000 || m < 1 || m > 1000) return 0;
  a[0] = __VERIFIER_nondet_int();
  for (int i = 1; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    if (a[i] < a[i - 1]) return 0;
  }
  b[0] = __VERIFIER_nondet_int();
  for (int i = 1; i < m; i++) {
    b[i] = __VERIFIER_nondet_int();
    if (b[i] < b[i - 1]) return 0;
  }
  int i = 0, j = 0, k = 0;
  while (i < n && j < m) {
    if (SMALLER(a[i], b[j])) c[k++] = a[i++];
    else c[k++] = b[j++];
  }
  while (i < n) c[k++] = a[i++];
  while (j < m) c[k++] = b[j++];
  for (int x = 0; x + 1 < k; x++)
    if (c[x] > c[x + 1]) reach_error();
  return 0;
}
