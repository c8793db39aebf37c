// Each call has a variable of its own, whose address the next call gets.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static void count(int n, int *result) {
  int below = 0;
  if (n > 0) count(n - 1, &below);
  *result = below + 1;
}

int main(void) {
  int result = 0;
  count(2, &result);
  assert(result == 3);
  return 0;
}
