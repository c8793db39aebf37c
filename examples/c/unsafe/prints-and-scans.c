// A program that prints runs into its error with the library's own streams; what `scanf` returns is not what it reads.
#include <assert.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  int number = __VERIFIER_nondet_int(), first = 1, second = 2;
  int printed = printf("%d\n", 12);
  fprintf(stdout, "so far: %d\n", number);
  int found = scanf("%d %d", &first, &second);
  if (found == 0 && printed == 3 && first == 1) {
    puts("nothing is read");
    assert(number != 5);
  }
  return 0;
}
