// A search tree of numbers that are not negative, looked through along any path; one number is changed before if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
  int value;
  struct node *left, *right;
};

int main(void) {
  struct node *root = NULL;
  while (__VERIFIER_nondet_int()) {
    int x = __VERIFIER_nondet_int();
    if (x < 0) continue;
    struct node *new = malloc(sizeof *new);
    if (!new) return 0;
    new->value = x;
    new->left = new->right = NULL;
    if (root == NULL) {
      root = new;
      continue;
    }
    struct node *at = root;
    for (;;) {
      struct node *below = x < at->value ? at->left : at->right;
      if (below == NULL) break;
      at = below;
    }
    if (x < at->value)
      at->left = new;
    else
      at->right = new;
  }
#ifdef WRONG
  if (root != NULL && root->left != NULL) root->left->value = -1;
#endif
  for (struct node *at = root; at != NULL; at = __VERIFIER_nondet_int() ? at->left : at->right)
    if (at->value < 0) reach_error();
  return 0;
}
