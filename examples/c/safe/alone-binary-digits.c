// The digits of a number in base two, as a number in base ten, by recursion; and a search in a sorted table that halves it. Nothing is read.
#include <assert.h>

static int in_binary(unsigned int number) {
  return number == 0 ? 0 : (int)(number % 2) + 10 * in_binary(number / 2);
}

static int position(const int *table, int first, int last, int wanted) {
  if (first > last) return -1;
  int middle = first + (last - first) / 2;
  if (table[middle] == wanted) return middle;
  return table[middle] > wanted ? position(table, first, middle - 1, wanted) : position(table, middle + 1, last, wanted);
}

int main(void) {
  static const int numbers[] = {0, 1, 2, 5, 11}, written[] = {0, 1, 10, 101, 1011};
  for (int i = 0; i < 5; i++) assert(in_binary((unsigned int)numbers[i]) == written[i]);
  for (int i = 0; i < 5; i++) assert(position(numbers, 0, 4, numbers[i]) == i);
  assert(position(numbers, 0, 4, 6) == -1);
  return 0;
}
