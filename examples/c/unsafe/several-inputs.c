// Inputs of several types in one loop, one of them without a prototype.
extern short __VERIFIER_nondet_short(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);

int main(void) {
  int i, score = 0;
  for (i = 0; i < 3; i++) {
    short s = __VERIFIER_nondet_short();
    if (__VERIFIER_nondet_bool() && s == -i) score++;
    if (__VERIFIER_nondet_ulong() == 18446744073709551615ul) score++;
  }
  if (score == 6) reach_error();
  return 0;
}
