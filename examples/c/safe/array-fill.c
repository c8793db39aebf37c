// All elements of an array that is filled in order; the one that is looked at has been written.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int a[3];
  int i = 0, k = __VERIFIER_nondet_int();
  a[0] = 1;
  a[1] = 1;
  a[2] = 1;
  if (k >= 0 && k < 3 && a[k] != 1) reach_error();
  return 0;
}
