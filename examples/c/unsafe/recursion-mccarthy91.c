// McCarthy's function is not always 91.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int f91(int x) {
  if (x > 100) return x - 10;
  return f91(f91(x + 11));
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(f91(x) == 91);
  return 0;
}
