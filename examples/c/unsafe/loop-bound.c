// The loop runs once too often.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0, sum = 0;
  if (n < 3 || n > 10) return 0;
  while (i <= n) {
    sum += 2;
    i++;
  }
  if (sum != 2 * n) reach_error();
  return 0;
}
