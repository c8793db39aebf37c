// A copy has the same elements; from the second one on if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define START 1
#else
#define START 0
#endif

int from[1000], to[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) from[i] = __VERIFIER_nondet_int();
  for (int i = START; i < n; i++) to[i] = from[i];
  for (int i = 0; i < n; i++)
    if (to[i] != from[i]) reach_error();
  return 0;
}
