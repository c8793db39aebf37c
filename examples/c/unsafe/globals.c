// A global that another file defines, and an array of such.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int configured;
extern unsigned char table[4];

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i < 0 || i > 3) return 0;
  if (configured > 100 && table[i] == 200) reach_error();
  return 0;
}
