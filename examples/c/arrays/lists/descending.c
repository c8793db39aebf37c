// Numbers are pushed as they grow, so that a list of them falls; one is pushed twice if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define STEP(n) ((n) + (__VERIFIER_nondet_int() != 0))
#else
#define STEP(n) ((n) + 1)
#endif

struct cell {
  int value;
  struct cell *next;
};

int main(void) {
  struct cell *head = NULL;
  int n = 0;
  while (n < 1000000 && __VERIFIER_nondet_int()) {
    struct cell *new = malloc(sizeof *new);
    if (!new) return 0;
    n = STEP(n);
    new->value = n;
    new->next = head;
    head = new;
  }
  for (struct cell *at = head; at != NULL && at->next != NULL; at = at->next)
    if (at->value <= at->next->value) reach_error();
  return 0;
}
