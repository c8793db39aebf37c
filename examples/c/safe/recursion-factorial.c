// A factorial is positive: an overflow, after which it might not be, has no defined behaviour.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int factorial(int n) {
  if (n <= 1) return 1;
  return n * factorial(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  int product = factorial(n);
  assert(product >= 1);
  return 0;
}
