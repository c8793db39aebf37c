// A string has no terminator before its length; the first character is not looked at if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#ifdef WRONG
#define START 1
#else
#define START 0
#endif

char s[100];

int main(void) {
  for (int i = 0; i < 99; i++) s[i] = __VERIFIER_nondet_int();
  s[99] = 0;
  int length = START;
  while (s[length] != 0) length++;
  if (length > 99) reach_error();
  int i = __VERIFIER_nondet_int();
  if (0 <= i && i < length && s[i] == 0) reach_error();
  return 0;
}
