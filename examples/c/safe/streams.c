// The library has the streams, and functions that read do not read more than they are asked for.
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

void elsewhere(void);

int main(int argc, char **argv) {
  char buffer[16];
  FILE *input = argc > 1 ? fopen(argv[1], "r") : stdin;
  if (input == NULL) {
    assert(argc > 1);
    return 1;
  }
  size_t wanted = argc % 2 ? sizeof buffer : 4, items = fread(buffer, 1, wanted, input);
  assert(items <= wanted);
  elsewhere();
  assert(stdout != NULL && stderr != NULL);
  ssize_t bytes = read(0, buffer, wanted);
  assert(bytes == -1 || bytes >= 0 && (size_t)bytes <= 16);
  return 0;
}
