// A static variable is the same in all calls.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int visit(int n) {
  static int visits;
  int mine = ++visits;
  if (n > 0) visit(n - 1);
  return mine + visits;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) abort();
  assert(visit(n) < 4);
  return 0;
}
