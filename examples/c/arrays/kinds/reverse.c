// An array is written in reverse order into another one; one place too late if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define LAST n
#else
#define LAST n - 1
#endif

int from[1000], to[1001];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) from[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) to[LAST - i] = from[i];
  for (int i = 0; i < n; i++)
    if (to[n - 1 - i] != from[i]) reach_error();
  return 0;
}
