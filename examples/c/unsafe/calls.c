// The same function reads in two places; only the second value matters.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { }
void __VERIFIER_assert(int condition) {
  if (!condition) {
  ERROR: { reach_error(); abort(); }
  }
}

static int read_between(int low, int high) {
  int value = __VERIFIER_nondet_int();
  if (value < low || value > high) abort();
  return value;
}

int main(void) {
  int ignored = read_between(1, 5);
  int used = read_between(10, 20);
  __VERIFIER_assert(used != 13);
  return 0;
}
