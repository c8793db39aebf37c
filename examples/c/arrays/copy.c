// An array is read, copied and compared: what holds is a property of every element.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int from[10000], to[10000];

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 10000) return 0;
  for (int i = 0; i < n; i++) from[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) to[i] = from[i];
  for (int i = 0; i < n; i++)
    if (from[i] != to[i]) reach_error();
  return 0;
}
