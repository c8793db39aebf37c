// All cells of a list are marked by a second loop; all but the first one if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct cell {
  int mark;
  struct cell *next;
};

int main(void) {
  struct cell *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct cell *new = malloc(sizeof *new);
    if (!new) return 0;
    new->mark = 5;
    new->next = head;
    head = new;
  }
  for (struct cell *at = head; at != NULL; at = at->next) at->mark = 5;
#ifdef WRONG
  if (head != NULL) head->mark = 0;
#endif
  for (struct cell *at = head; at != NULL; at = at->next)
    if (at->mark != 5) reach_error();
  return 0;
}
