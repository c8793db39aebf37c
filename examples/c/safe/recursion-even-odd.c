// Two functions that call each other: a number that is even is not odd.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int is_odd(int n);

static int is_even(int n) {
  if (n == 0) return 1;
  return is_odd(n - 1);
}

static int is_odd(int n) {
  if (n == 0) return 0;
  return is_even(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) abort();
  int even = is_even(n);
  assert(even == 0 || n % 2 == 0);
  return 0;
}
