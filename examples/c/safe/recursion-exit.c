// A function that never comes back: what is behind its call is not done.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static void leave(int n) {
  if (n <= 0) abort();
  leave(n - 1);
}

int main(void) {
  leave(__VERIFIER_nondet_int());
  assert(0);
  return 0;
}
