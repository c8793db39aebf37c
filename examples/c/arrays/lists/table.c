// An array of pointers to structures that are made one by one: each is there, and its number is small; one too large if WRONG.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 40000
#ifdef WRONG
#define LARGEST 11
#else
#define LARGEST 10
#endif

struct item {
  int number;
};

struct item *table[SIZE];

int main(void) {
  for (int i = 0; i < SIZE; i++) {
    int number = __VERIFIER_nondet_int();
    if (number < 0 || number > LARGEST) return 0;
    struct item *new = malloc(sizeof *new);
    if (!new) return 0;
    new->number = number;
    table[i] = new;
  }
  for (int i = 0; i < SIZE; i++)
    if (table[i] == NULL || table[i]->number < 0 || table[i]->number > 10) reach_error();
  return 0;
}
