// Variables of calls that are open at once have different addresses.
extern void reach_error(void);
static int f(int n, int *above) { int x = n; if (above == &x) return 1; return n > 0 ? f(n - 1, &x) : 0; }
int main(void) { int x; if (f(3, &x)) reach_error(); return 0; }
