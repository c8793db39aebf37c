// What is masked is small, whatever it was.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
  unsigned int x = __VERIFIER_nondet_uint();
  unsigned char low = x & 15;
  x = x % 8;
  if (low > 15 || x > 7) reach_error();
  return 0;
}
