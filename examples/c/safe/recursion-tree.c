// The children of a node come after it in the array, so that no path is longer than the array.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

#define NODES 15
static int value[NODES];

static int depth(int node) {
  if (node >= NODES || value[node] == 0) return 0;
  int left = depth(2 * node + 1), right = depth(2 * node + 2);
  return 1 + (left > right ? left : right);
}

int main(void) {
  for (int i = 0; i < NODES; i++) value[i] = __VERIFIER_nondet_int();
  assert(depth(0) >= 0);
  return 0;
}
