// A missing break.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int state = __VERIFIER_nondet_int(), cost = 0;
  switch (state) {
  case 1:
    cost += 1;
  case 2:
    cost += 10;
    break;
  case 3 ... 5:
    cost += 3;
    break;
  default:
    return 0;
  }
  if (cost == 11) reach_error();
  return 0;
}
