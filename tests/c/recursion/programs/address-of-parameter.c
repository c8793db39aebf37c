// The address of a parameter is handed on.
extern void reach_error(void);
static int f(int n, int *p) { if (n == 0) return *p = 9; f(n - 1, &n); *p = n + 1; return n; }
int main(void) { int x = 0; f(2, &x); if (x == 11) reach_error(); return 0; }
