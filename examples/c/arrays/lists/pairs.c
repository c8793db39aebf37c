// Two fields of every cell are equal; the second one is larger if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define MORE 1
#else
#define MORE 0
#endif

struct cell {
  int left, right;
  struct cell *next;
};

int main(void) {
  struct cell *head = NULL;
  while (__VERIFIER_nondet_int()) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000) continue;
    struct cell *new = malloc(sizeof *new);
    if (!new) return 0;
    new->left = x;
    new->right = x + MORE;
    new->next = head;
    head = new;
  }
  for (struct cell *at = head; at != NULL; at = at->next)
    if (at->left != at->right) reach_error();
  return 0;
}
