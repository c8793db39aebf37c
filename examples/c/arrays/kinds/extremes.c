// No element is outside of the least and the largest one; an `else` leaves the least too large if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define ALSO else
#else
#define ALSO
#endif

int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  int least = 2147483647, largest = -2147483647 - 1;
  for (int i = 0; i < n; i++) {
    if (a[i] > largest) largest = a[i];
    ALSO if (a[i] < least) least = a[i];
  }
  for (int i = 0; i < n; i++)
    if (a[i] < least || a[i] > largest) reach_error();
  return 0;
}
