// Every cell has its value when it is freed; another value was pushed last if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct cell {
  int value;
  struct cell *next;
};

int main(void) {
  struct cell *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct cell *new = malloc(sizeof *new);
    if (!new) return 0;
    new->value = 1;
    new->next = head;
    head = new;
  }
#ifdef WRONG
  if (head != NULL) head->value = 2;
#endif
  while (head != NULL) {
    struct cell *rest = head->next;
    if (head->value != 1) reach_error();
    free(head);
    head = rest;
  }
  return 0;
}
