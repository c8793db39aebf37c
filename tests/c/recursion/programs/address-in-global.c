// A global points to the variable of the outermost call.
extern void reach_error(void);
static int *outer;
static int f(int n) {
  int x = n;
  if (!outer) outer = &x;
  if (n > 0) f(n - 1); else *outer = 42;
  return x;
}
int main(void) { if (f(3) == 42) reach_error(); return 0; }
