// What is left of a sorted array without duplicates increases; elements may be kept twice if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define DIFFER(x, y) ((x) >= (y))
#else
#define DIFFER(x, y) ((x) != (y))
#endif

int a[1000], kept[1000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 1000) return 0;
  a[0] = __VERIFIER_nondet_int();
  for (int i = 1; i < n; i++) {
    a[i] = __VERIFIER_nondet_int();
    if (a[i] < a[i - 1]) return 0;
  }
  int count = 1;
  kept[0] = a[0];
  for (int i = 1; i < n; i++)
    if (DIFFER(a[i], kept[count - 1])) kept[count++] = a[i];
  for (int i = 0; i + 1 < count; i++)
    if (kept[i] >= kept[i + 1]) reach_error();
  return 0;
}
