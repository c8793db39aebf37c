// What a function enters it leaves, however deep it goes.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int open;

static void visit(int limit) {
  open++;
  if (limit > 0 && __VERIFIER_nondet_int()) visit(limit - 1);
  open--;
}

int main(void) {
  visit(__VERIFIER_nondet_int());
  assert(open == 0);
  return 0;
}
