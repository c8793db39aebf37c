// Some factorial is 24.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int factorial(int n) {
  if (n <= 1) return 1;
  return n * factorial(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(factorial(n) != 24);
  return 0;
}
