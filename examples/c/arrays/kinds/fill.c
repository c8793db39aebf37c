// Every element of an array is written; the last one is forgotten if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define END n - 1
#else
#define END n
#endif

int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < END; i++) a[i] = 42;
  for (int i = 0; i < n; i++)
    if (a[i] != 42) reach_error();
  return 0;
}
