// What is on a stack is positive; zero may be pushed if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define LEAST 0
#else
#define LEAST 1
#endif

int stack[100];

int main(void) {
  int top = 0;
  while (__VERIFIER_nondet_int()) {
    int x = __VERIFIER_nondet_int();
    if (__VERIFIER_nondet_int()) {
      if (top < 100 && x >= LEAST) stack[top++] = x;
    } else if (top > 0) {
      top--;
      if (stack[top] < 1) reach_error();
    }
  }
  return 0;
}
