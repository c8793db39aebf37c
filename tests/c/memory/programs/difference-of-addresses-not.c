extern void reach_error(void);
int a[10];
int main(void) {
  int *p = a;
  unsigned long u = (unsigned long)(p + 3) - (unsigned long)p;
  if (u != 12) reach_error();
  return 0;
}
