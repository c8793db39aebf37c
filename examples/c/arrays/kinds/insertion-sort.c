// Insertion sort of unknown elements; nothing is moved before the first one if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define FIRST 1
#else
#define FIRST 0
#endif

int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 1; i < n; i++) {
    int key = a[i], j = i - 1;
    while (j >= FIRST && a[j] > key) {
      a[j + 1] = a[j];
      j--;
    }
    a[j + 1] = key;
  }
  for (int i = 0; i + 1 < n; i++)
    if (a[i] > a[i + 1]) reach_error();
  return 0;
}
