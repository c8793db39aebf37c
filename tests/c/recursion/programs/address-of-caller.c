// A call writes a variable of its caller, which has the name of its own.
extern void reach_error(void);
static void f(int n, int *p) { int x = 1; if (n > 0) f(n - 1, &x); *p += x; }
int main(void) { int x = 1; f(2, &x); if (x == 4) reach_error(); return 0; }
