// Safe only because a run ends where x + 1 overflows: without that, the rules have more runs.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int a[2] = { 1, 1 };
  int i = __VERIFIER_nondet_int();
  if (a[i] != 1) reach_error();
  return 0;
}
