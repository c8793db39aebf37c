// A string is copied with its terminator; without it if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

char from[100], to[100];

int main(void) {
  for (int i = 0; i < 99; i++) from[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 100; i++) to[i] = 'x';
  from[99] = 0;
  int i = 0;
#ifdef WRONG
  while (from[i] != 0) {
    to[i] = from[i];
    i++;
  }
#else
  while ((to[i] = from[i]) != 0) i++;
#endif
  for (int k = 0; k <= i; k++)
    if (to[k] != from[k]) reach_error();
  return 0;
}
