// Nodes with an array each, of which a part is read and the rest is zero; what is read may be too large if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define WIDTH 6
#ifdef WRONG
#define LARGEST 51
#else
#define LARGEST 50
#endif

struct node {
  int row[WIDTH];
  struct node *next;
};

int main(void) {
  struct node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *new = malloc(sizeof *new);
    if (!new) return 0;
    int used = __VERIFIER_nondet_int();
    if (used < 0 || used > WIDTH) return 0;
    for (int i = 0; i < used; i++) {
      int value = __VERIFIER_nondet_int();
      if (value < 0 || value > LARGEST) return 0;
      new->row[i] = value;
    }
    for (int i = used; i < WIDTH; i++) new->row[i] = 0;
    new->next = head;
    head = new;
  }
  for (struct node *at = head; at; at = at->next)
    for (int i = 0; i < WIDTH; i++)
      if (at->row[i] < 0 || at->row[i] > 50) reach_error();
  return 0;
}
