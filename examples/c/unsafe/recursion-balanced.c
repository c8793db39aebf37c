// One way out of a function does not leave what it has entered; the error is inside of three calls.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int open;

static void visit(int limit) {
  open++;
  assert(open < 4);
  if (limit == 3) return;
  while (limit > 0 && __VERIFIER_nondet_int()) visit(limit - 1);
  open--;
}

int main(void) {
  visit(__VERIFIER_nondet_int());
  return 0;
}
