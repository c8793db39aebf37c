// A test for order is right about all pairs; the first pair is not compared if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define START 2
#else
#define START 1
#endif

int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int end = START;
  while (end < n && a[end - 1] <= a[end]) end++;
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (0 <= i && i <= j && j < end && j < n && a[i] > a[j]) reach_error();
  return 0;
}
