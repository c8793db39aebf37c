// A sum of numbers none of which is negative is not negative.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int sum(const int *numbers, int count) {
  if (count <= 0) return 0;
  int first = numbers[0];
  if (first < 0) abort();
  return first + sum(numbers + 1, count - 1);
}

int main(void) {
  int numbers[20];
  for (int i = 0; i < 20; i++) numbers[i] = __VERIFIER_nondet_int();
  assert(sum(numbers, 20) >= 0);
  return 0;
}
