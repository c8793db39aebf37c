// No cell of a list has more than the limit, which is an input; one may have more if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define LIMIT limit + 1
#else
#define LIMIT limit
#endif

struct cell {
  int value;
  struct cell *next;
};

int main(void) {
  int limit = __VERIFIER_nondet_int();
  if (limit < 0 || limit > 1000) return 0;
  struct cell *head = NULL;
  while (__VERIFIER_nondet_int()) {
    int x = __VERIFIER_nondet_int();
    if (x > LIMIT) continue;
    struct cell *new = malloc(sizeof *new);
    if (!new) return 0;
    new->value = x;
    new->next = head;
    head = new;
  }
  for (struct cell *at = head; at != NULL; at = at->next)
    if (at->value > limit) reach_error();
  return 0;
}
