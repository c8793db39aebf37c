// Bubble sort of unknown elements; each round is one step too short if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define END n - 2 - i
#else
#define END n - 1 - i
#endif

int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < END; j++)
      if (a[j] > a[j + 1]) {
        int kept = a[j];
        a[j] = a[j + 1];
        a[j + 1] = kept;
      }
  for (int i = 0; i + 1 < n; i++)
    if (a[i] > a[i + 1]) reach_error();
  return 0;
}
