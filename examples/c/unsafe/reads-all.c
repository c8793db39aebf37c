// Functions that read may read all that they are asked for.
#include <assert.h>
#include <stdio.h>

int main(void) {
  char buffer[16];
  size_t items = fread(buffer, 2, 8, stdin);
  assert(items < 8);
  return 0;
}
