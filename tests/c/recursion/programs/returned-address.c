// A call returns the address that it got.
extern void reach_error(void);
static int *f(int n, int *p) { int x = n; int *q = n > 0 ? f(n - 1, p) : p; *q += x; return q; }
int main(void) { int x = 1, y = 1; *f(2, &x) += 1; if (x == 5 && y == 1) reach_error(); return 0; }
