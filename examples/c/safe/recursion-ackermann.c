// Ackermann's function is greater than its second argument.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
  int m = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  if (m < 0 || n < 0) abort();
  assert(ackermann(m, n) > n);
  return 0;
}
