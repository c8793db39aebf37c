// Odd-even sort of unknown elements; swaps in even places are not noticed if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define UNSORTED 1
#else
#define UNSORTED 0
#endif

int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int sorted = 0;
  while (!sorted) {
    sorted = 1;
    for (int i = 1; i < n - 1; i += 2)
      if (a[i] > a[i + 1]) {
        int kept = a[i];
        a[i] = a[i + 1];
        a[i + 1] = kept;
        sorted = 0;
      }
    for (int i = 0; i < n - 1; i += 2)
      if (a[i] > a[i + 1]) {
        int kept = a[i];
        a[i] = a[i + 1];
        a[i + 1] = kept;
        sorted = UNSORTED;
      }
  }
  for (int i = 0; i + 1 < n; i++)
    if (a[i] > a[i + 1]) reach_error();
  return 0;
}
