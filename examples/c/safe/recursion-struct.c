// Structs are handed over and back by value.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

struct pair { int low, high; };

static struct pair widen(struct pair pair, int times) {
  if (times == 0) return pair;
  pair.low--;
  pair.high++;
  return widen(pair, times - 1);
}

int main(void) {
  struct pair start = { 0, 0 };
  int times = __VERIFIER_nondet_int();
  if (times < 0) abort();
  struct pair end = widen(start, times);
  assert(end.high >= end.low);
  return 0;
}
