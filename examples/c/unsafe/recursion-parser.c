// A parser by recursive descent accepts a number in parentheses.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

enum token { NUMBER, PLUS, OPEN, CLOSE, END };
static int position;

static int next(void) {
  int token = __VERIFIER_nondet_int();
  if (token < NUMBER || token > END) abort();
  position++;
  return token;
}

static int term(void) {
  int token = next();
  if (token == NUMBER) return 1;
  if (token != OPEN) return 0;
  if (!term()) return 0;
  return next() == CLOSE;
}

int main(void) {
  int accepted = term();
  assert(!accepted || position != 3);
  return 0;
}
