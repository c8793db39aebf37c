// What binary search does not find in a sorted array is not there; the upper half begins too late if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define NEXT 2
#else
#define NEXT 1
#endif

int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int(), key = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  a[0] = __VERIFIER_nondet_int();
  for (int i = 1; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    if (a[i] < a[i - 1]) return 0;
  }
  int low = 0, high = n, found = 0;
  while (low < high && !found) {
    int middle = low + (high - low) / 2;
    if (a[middle] == key) found = 1;
    else if (a[middle] < key) low = middle + NEXT;
    else high = middle;
  }
  if (!found)
    for (int i = 0; i < n; i++)
      if (a[i] == key) reach_error();
  return 0;
}
