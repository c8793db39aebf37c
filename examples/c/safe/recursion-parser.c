// A parser by recursive descent never reads more tokens than there are.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

#define TOKENS 12
enum token { NUMBER, PLUS, OPEN, CLOSE, END };
static int position;

static int next(void) {
  if (position >= TOKENS) return END;
  position++;
  return __VERIFIER_nondet_int();
}

static int term(void) {
  int token = next();
  if (token == NUMBER) return 1;
  if (token != OPEN) return 0;
  if (!term()) return 0;
  return next() == CLOSE;
}

int main(void) {
  term();
  assert(position <= TOKENS);
  return 0;
}
