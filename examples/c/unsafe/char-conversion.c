// 200 does not fit into a signed char.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  signed char s = (signed char)c;
  short doubled = (short)(c << 8);
  if (c == 200 && s < 0 && doubled < 0) reach_error();
  return 0;
}
