extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int asked = __VERIFIER_nondet_int(), given = 0;
  if (asked < 0 || asked > 100)
    return 0;
  while (given < asked) {
    given += 3;
  }
  if (given != asked)
    reach_error();
  return 0;
}
