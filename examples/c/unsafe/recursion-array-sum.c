// Three numbers may add up to ten.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int sum(const int *numbers, int count) {
  if (count <= 0) return 0;
  return numbers[0] + sum(numbers + 1, count - 1);
}

int main(void) {
  int numbers[3];
  for (int i = 0; i < 3; i++) {
    numbers[i] = __VERIFIER_nondet_int();
    if (numbers[i] < 0 || numbers[i] > 9) abort();
  }
  assert(sum(numbers, 3) != 10);
  return 0;
}
