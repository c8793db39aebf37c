// Each call allocates memory.
extern void reach_error(void);
extern void *malloc(unsigned long);
static int *f(int n) {
  int *p = malloc(sizeof *p);
  if (!p) return 0;
  *p = n;
  if (n > 0) { int *q = f(n - 1); if (q) *p += *q; }
  return p;
}
int main(void) { int *p = f(3); if (p && *p == 6) reach_error(); return 0; }
