// Cells with the value 1 are appended to a first one that was made before them, and a last one follows; it has the value 2 if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define LAST 2
#else
#define LAST 1
#endif

struct cell {
  int value;
  struct cell *next;
};

int main(void) {
  struct cell *first = malloc(sizeof *first);
  if (!first) return 0;
  struct cell *at = first;
  while (__VERIFIER_nondet_int()) {
    at->value = 1;
    struct cell *new = malloc(sizeof *new);
    if (!new) return 0;
    at->next = new;
    at = new;
  }
  at->value = LAST;
  at->next = NULL;
  for (at = first; at; at = at->next)
    if (at->value != 1) reach_error();
  return 0;
}
