// Negative numbers go into one list and the others into another one; zero goes into both if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define MOST 0
#else
#define MOST (-1)
#endif

struct cell {
  int value;
  struct cell *next;
};

int main(void) {
  struct cell *negative = NULL, *others = NULL;
  while (__VERIFIER_nondet_int()) {
    struct cell *new = malloc(sizeof *new);
    if (!new) return 0;
    new->value = __VERIFIER_nondet_int();
    if (new->value <= MOST) {
      new->next = negative;
      negative = new;
    } else {
      new->next = others;
      others = new;
    }
  }
  for (struct cell *at = negative; at != NULL; at = at->next)
    if (at->value >= 0) reach_error();
  for (struct cell *at = others; at != NULL; at = at->next)
    if (at->value < 0) reach_error();
  return 0;
}
