// A pivot is put between what is smaller and what is not; what is equal may be on either side if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define GOES_LEFT(x) ((x) <= pivot)
#else
#define GOES_LEFT(x) ((x) < pivot)
#endif

int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int pivot = a[n - 1], border = 0;
  for (int i = 0; i < n - 1; i++) {
    if (GOES_LEFT(a[i])) {
      int kept = a[i];
      a[i] = a[border];
      a[border] = kept;
      border++;
    }
  }
  a[n - 1] = a[border];
  a[border] = pivot;
  for (int i = 0; i < border; i++)
    if (a[i] >= pivot) reach_error();
  for (int i = border; i < n; i++)
    if (a[i] < pivot) reach_error();
  return 0;
}
