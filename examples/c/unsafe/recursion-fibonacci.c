// The fifth Fibonacci number is five.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
#include <assert.h>

static int fibonacci(int n) {
  if (n < 1) return 0;
  if (n == 1) return 1;
  return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  int number = fibonacci(n);
  if (n == 5) assert(number != 5);
  return 0;
}
