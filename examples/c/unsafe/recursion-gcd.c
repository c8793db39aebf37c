// Different numbers may have a common divisor above four.
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
  if (a <= 0 || b <= 0 || a == b) abort();
  assert(gcd(a, b) <= 4);
  return 0;
}
