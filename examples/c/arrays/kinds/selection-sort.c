// Selection sort of unknown elements; the last place is not sorted if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define END n - 2
#else
#define END n - 1
#endif

int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < END; i++) {
    int least = i;
    for (int j = i + 1; j < n; j++)
      if (a[j] < a[least]) least = j;
    int kept = a[i];
    a[i] = a[least];
    a[least] = kept;
  }
  for (int i = 0; i + 1 < n; i++)
    if (a[i] > a[i + 1]) reach_error();
  return 0;
}
