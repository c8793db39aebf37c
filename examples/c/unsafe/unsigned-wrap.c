// Unsigned numbers have no sign: the difference of a smaller and a larger one is huge.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned int have = __VERIFIER_nondet_uint();
  unsigned int need = __VERIFIER_nondet_uint();
  if (have - need > 4000000000u) {
    reach_error();
  }
  return 0;
}
