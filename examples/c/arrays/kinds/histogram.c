// Counts are not negative, and what is not counted does not occur; the value 9 is not counted if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define LAST 8
#else
#define LAST 9
#endif

int a[1000], count[10];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    if (a[i] < 0 || a[i] > 9) return 0;
  }
  for (int d = 0; d < 10; d++) count[d] = 0;
  for (int i = 0; i < n; i++)
    if (a[i] <= LAST) count[a[i]]++;
  for (int d = 0; d < 10; d++)
    if (count[d] < 0) reach_error();
  for (int i = 0; i < n; i++)
    if (count[a[i]] == 0) reach_error();
  return 0;
}
