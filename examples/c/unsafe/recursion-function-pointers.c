// Which function is called is an input.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

typedef int (*step)(int, int);
static step steps[2];

static int halve(int n, int depth) {
  if (n <= 1) return depth;
  return steps[n % 2](n / 2, depth + 1);
}

static int decrease(int n, int depth) {
  if (n <= 1) return depth;
  return steps[__VERIFIER_nondet_int() != 0](n - 1, depth + 1);
}

int main(void) {
  steps[0] = halve, steps[1] = decrease;
  int depth = halve(9, 0);
  assert(depth != 4);
  return 0;
}
