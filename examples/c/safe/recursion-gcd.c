// The greatest common divisor of positive numbers is positive and not greater than the second.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int gcd(int a, int b) {
  if (a == b) return a;
  if (a > b) return gcd(a - b, b);
  return gcd(a, b - a);
}

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a <= 0 || b <= 0) abort();
  int divisor = gcd(a, b);
  assert(divisor >= 1 && divisor <= b);
  return 0;
}
