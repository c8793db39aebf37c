// Swapping through pointers goes wrong if both point to the same variable: xor makes it zero.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void swap(int *a, int *b) {
  *a = *a + *b;
  *b = *a - *b;
  *a = *a - *b;
}

int main(void) {
  int x = __VERIFIER_nondet_int(), y = 5;
  int *p = &x, *q = __VERIFIER_nondet_int() ? &y : &x;
  if (x < 1 || x > 100) return 0;
  int before = x;
  swap(p, q);
  if (q == &x && x != before) reach_error();
  return 0;
}
