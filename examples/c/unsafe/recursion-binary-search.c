// A binary search that begins one too far may find something behind the array's last number.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int numbers[8];

static int search(int value, int low, int high) {
  if (low > high) return -1;
  int middle = low + (high - low) / 2;
  assert(middle < 7);
  if (numbers[middle] == value) return middle;
  if (numbers[middle] < value) return search(value, middle + 1, high);
  return search(value, low, middle - 1);
}

int main(void) {
  for (int i = 0; i < 7; i++) numbers[i] = 2 * i;
  search(__VERIFIER_nondet_int(), 0, 7);
  return 0;
}
