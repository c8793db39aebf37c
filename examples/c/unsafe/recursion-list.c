// A list that a function builds by calling itself.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

extern void *malloc(unsigned long);
struct node { int value; struct node *next; };

static struct node *build(int count) {
  if (count <= 0) return 0;
  struct node *first = malloc(sizeof *first);
  if (!first) abort();
  first->value = __VERIFIER_nondet_int();
  first->next = build(count - 1);
  return first;
}

int main(void) {
  struct node *list = build(2);
  assert(list->next->value != list->value + 1);
  return 0;
}
