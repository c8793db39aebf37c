// A tree in an array, in which some number may be found.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

#define NODES 7
static int value[NODES];

static int contains(int node, int wanted) {
  if (node >= NODES) return 0;
  if (value[node] == wanted) return 1;
  return contains(wanted < value[node] ? 2 * node + 1 : 2 * node + 2, wanted);
}

int main(void) {
  value[0] = 40, value[1] = 20, value[2] = 60;
  value[3] = 10, value[4] = 30, value[5] = 50, value[6] = 70;
  int wanted = __VERIFIER_nondet_int();
  assert(!contains(0, wanted) || wanted < 50);
  return 0;
}
