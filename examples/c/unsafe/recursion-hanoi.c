// Two disks take three moves.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int moves;

static void hanoi(int disks, int from, int to) {
  if (disks <= 0) return;
  int other = 3 - from - to;
  hanoi(disks - 1, from, other);
  moves++;
  hanoi(disks - 1, other, to);
}

int main(void) {
  int disks = __VERIFIER_nondet_int();
  if (disks < 0 || disks > 3) abort();
  hanoi(disks, 0, 2);
  assert(moves != 3);
  return 0;
}
