// A table of functions, one of them wrong.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }

int main(void) {
  int (*table[2])(int) = { twice, square };
  int which = __VERIFIER_nondet_int();
  int x = __VERIFIER_nondet_int();
  if (which < 0 || which > 1 || x < 3 || x > 9) return 0;
  if (table[which](x) != 2 * x) reach_error();
  return 0;
}
