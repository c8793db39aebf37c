// A struct is copied; changing the copy leaves the original alone.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

struct account { int balance; struct { int day, month; } since; };

static struct account deposit(struct account a, int amount) {
  a.balance += amount;
  return a;
}

int main(void) {
  struct account mine = { 10, { 1, 2 } };
  int amount = __VERIFIER_nondet_int();
  if (amount < 1 || amount > 1000) return 0;
  deposit(mine, amount);
  if (mine.balance == 10 && mine.since.month == 2 && amount == 77) __VERIFIER_error();
  return 0;
}
