// Two functions that call each other through a table of pointers, and take turns.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

typedef int (*player)(int);
static int first(int stones);
static int second(int stones);
static player players[2] = { first, second };
static int turn;

static int first(int stones) {
  assert(turn == 0);
  if (stones <= 0) return 0;
  turn = 1;
  return players[1](stones - 1);
}

static int second(int stones) {
  assert(turn == 1);
  if (stones <= 0) return 1;
  turn = 0;
  return players[0](stones - 2);
}

int main(void) {
  int winner = first(__VERIFIER_nondet_int());
  assert(winner == turn);
  return 0;
}
