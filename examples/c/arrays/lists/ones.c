// Cells with the value 1 are pushed and read back, as many as one likes; another value is pushed in between if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define VALUE (__VERIFIER_nondet_int() ? 1 : 2)
#else
#define VALUE 1
#endif

struct cell {
  int value;
  struct cell *next;
};

int main(void) {
  struct cell *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct cell *new = malloc(sizeof *new);
    if (!new) return 0;
    new->value = VALUE;
    new->next = head;
    head = new;
  }
  for (struct cell *at = head; at != NULL; at = at->next)
    if (at->value != 1) reach_error();
  return 0;
}
