// The sum of the numbers below n is not negative; the bound of the loop does not matter.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0, up = 0;
  while (i < n) {
    i++;
    up++;
  }
  if (n >= 0 && up != n) reach_error();
  return 0;
}
