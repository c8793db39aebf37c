// Two arrays with opposite numbers cancel each other in a third one; of one place both are the same if WRONG.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define SIZE 50000

int plus[SIZE], minus[SIZE], sums[SIZE];

int main(void) {
  for (int i = 0; i < SIZE; i++) {
    int step = __VERIFIER_nondet_int();
    if (step < -1000 || step > 1000) return 0;
    plus[i] = step;
    minus[i] = -step;
  }
#ifdef WRONG
  plus[7] = minus[7];
#endif
  for (int i = 0; i < SIZE; i++) sums[i] = plus[i] + minus[i];
  for (int i = 1; i < SIZE; i++)
    if (sums[i] != 0) reach_error();
  return 0;
}
