// Only positive numbers are kept in a list; zero may be if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define LEAST 0
#else
#define LEAST 1
#endif

struct cell {
  int value;
  struct cell *next;
};

int main(void) {
  struct cell *head = NULL;
  while (__VERIFIER_nondet_int()) {
    int x = __VERIFIER_nondet_int();
    if (x < LEAST) continue;
    struct cell *new = malloc(sizeof *new);
    if (!new) return 0;
    new->value = x;
    new->next = head;
    head = new;
  }
  while (head != NULL) {
    if (head->value <= 0) reach_error();
    head = head->next;
  }
  return 0;
}
