// McCarthy's function is 91 up to 101, and ten less than its argument above.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int f91(int x) {
  if (x > 100) return x - 10;
  return f91(f91(x + 11));
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  int result = f91(x);
  assert(result == 91 || x > 101 && result == x - 10);
  return 0;
}
