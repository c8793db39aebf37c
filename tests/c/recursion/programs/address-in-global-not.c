// Inner variables are not changed through a pointer to the outermost one.
extern void reach_error(void);
static int *outer, sum;
static void f(int n) {
  int x = n;
  if (!outer) outer = &x;
  if (n > 0) f(n - 1); else *outer = 42;
  sum += x;
}
int main(void) { f(3); if (sum != 45) reach_error(); return 0; }
