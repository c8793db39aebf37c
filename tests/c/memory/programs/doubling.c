// An overflow that is the only way to the condition.
extern void reach_error(void);
int main(void) {
  int a = 1, i;
  for (i = 0; i < 31; ++i) a *= 2;
  if (a != 0x80000000u) reach_error();
  return 0;
}
