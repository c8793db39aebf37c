// A list is turned round by its links, and its cells keep their value; the new first one does not if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct cell {
  int value;
  struct cell *next;
};

int main(void) {
  struct cell *head = NULL, *turned = NULL;
  while (__VERIFIER_nondet_int()) {
    struct cell *new = malloc(sizeof *new);
    if (!new) return 0;
    new->value = 3;
    new->next = head;
    head = new;
  }
  while (head != NULL) {
    struct cell *rest = head->next;
    head->next = turned;
    turned = head;
    head = rest;
  }
#ifdef WRONG
  if (turned) turned->value = 4;
#endif
  for (struct cell *at = turned; at != NULL; at = at->next)
    if (at->value != 3) reach_error();
  return 0;
}
