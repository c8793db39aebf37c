// Two cells; the second one is forgotten when the first is removed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct cell { int value; struct cell *next; };

int main(void) {
  struct cell *first = malloc(sizeof(struct cell));
  struct cell *second = malloc(sizeof(struct cell));
  if (!first || !second) return 0;
  first->value = __VERIFIER_nondet_int();
  second->value = 3;
  first->next = second;
  second->next = 0;
  if (first->value == 8 && first->next->value == 3) reach_error();
  return 0;
}
