// Plain assert, from the header.
#include <assert.h>
#define LIMIT 6
int input(void);

int main(void) {
  int x = input(), y = 0;
  if (x < 0) return 0;
  while (x < LIMIT) {
    x++;
    y += 2;
  }
  assert(y <= 10);
  return 0;
}
