// Where nothing is counted no element is negative; -1 is not counted if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define IS_COUNTED(x) ((x) < -1)
#else
#define IS_COUNTED(x) ((x) < 0)
#endif

int a[1000];

int main(void) {
  int n = __VERIFIER_nondet_int(), count = 0;
  if (n < 1 || n > 1000) return 0;
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++)
    if (IS_COUNTED(a[i])) count++;
  if (count > n) reach_error();
  if (count == 0)
    for (int i = 0; i < n; i++)
      if (a[i] < 0) reach_error();
  return 0;
}
