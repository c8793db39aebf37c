// Bezout's coefficients, which each call puts into variables of its caller.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int extended(int a, int b, int *x, int *y) {
  if (b == 0) {
    *x = 1, *y = 0;
    return a;
  }
  int u, v;
  int divisor = extended(b, a % b, &u, &v);
  *x = v;
  *y = u - a / b * v;
  return divisor;
}

int main(void) {
  int x, y;
  extended(7, 2, &x, &y);
  assert(y != -3);
  return 0;
}
