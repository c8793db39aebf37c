// The error is reached after an access outside the array, which is undefined: safe only if such runs count as ended.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int a[2] = { 1, 1 };
  int i = __VERIFIER_nondet_int();
  if (a[i] != 1) reach_error();
  return 0;
}
