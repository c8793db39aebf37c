// Cells are put behind the last one, all with one value; one is put there without it if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct cell {
  int value;
  struct cell *next;
};

int main(void) {
  struct cell *head = NULL, *last = NULL;
  while (__VERIFIER_nondet_int()) {
    struct cell *new = malloc(sizeof *new);
    if (!new) return 0;
    new->value = 7;
    new->next = NULL;
    if (last)
      last->next = new;
    else
      head = new;
    last = new;
  }
#ifdef WRONG
  if (last) last->value = 8;
#endif
  for (struct cell *at = head; at != NULL; at = at->next)
    if (at->value != 7) reach_error();
  return 0;
}
