// Two strings that compare equal are equal up to the terminator; the first characters are not compared if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define START 1
#else
#define START 0
#endif

char s[100], t[100];

int main(void) {
  for (int i = 0; i < 99; i++) {
    s[i] = __VERIFIER_nondet_int();
    t[i] = __VERIFIER_nondet_int();
  }
  s[99] = 0;
  t[99] = 0;
  int i = START;
  while (s[i] == t[i] && s[i] != 0) i++;
  if (s[i] == t[i])
    for (int k = 0; k < i; k++)
      if (s[k] != t[k]) reach_error();
  return 0;
}
