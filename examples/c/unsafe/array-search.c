// The last element is never looked at.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int a[4];
  int i, found = 0;
  for (i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
  for (i = 0; i < 3; i++)
    if (a[i] == 42) found = 1;
  if (!found && a[3] == 42) reach_error();
  return 0;
}
