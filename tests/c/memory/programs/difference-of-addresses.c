extern void reach_error(void);
struct s { int a; short b[3]; } s;
int main(void) {
  int a[10];
  int *p = a;
  if ((unsigned long)(p + 3) - (unsigned long)p != 12) return 0;
  if ((long)&s.b[2] - (long)&s.a == 8) reach_error();
  return 0;
}
