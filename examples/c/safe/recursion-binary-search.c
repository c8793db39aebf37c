// What a binary search returns is among the numbers searched, or says that there is nothing.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int compared_with(int position) {
  return __VERIFIER_nondet_int();
}

static int search(int low, int high) {
  if (low > high) return -1;
  int middle = low + (high - low) / 2;
  int order = compared_with(middle);
  if (order == 0) return middle;
  if (order < 0) return search(middle + 1, high);
  return search(low, middle - 1);
}

int main(void) {
  int found = search(0, 99);
  assert(found >= -1 && found < 100);
  return 0;
}
