// A search that finds nothing has seen every element.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int table[500];

int main(void) {
  int n = __VERIFIER_nondet_int(), key = __VERIFIER_nondet_int();
  if (n < 0 || n > 500) return 0;
  for (int i = 0; i < n; i++) table[i] = __VERIFIER_nondet_int();
  int i = 0;
  while (i < n && table[i] != key) i++;
  int j = __VERIFIER_nondet_int();
  if (i == n && j >= 0 && j < n && table[j] == key) reach_error();
  return 0;
}
