// A lock that is released only if it was taken.
extern int __VERIFIER_nondet_int(void);
#include <assert.h>

int main(void) {
  int locked = 0, old, new;
  do {
    assert(locked == 0);
    locked = 1;
    old = new;
    if (__VERIFIER_nondet_int()) {
      assert(locked == 1);
      locked = 0;
      new++;
    }
  } while (new != old);
  assert(locked == 1);
  return 0;
}
