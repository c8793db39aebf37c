// The same, and nothing else.
extern void reach_error(void);
static int f(int n) { int x = n * 10; if (n > 0) f(n - 1); return x; }
int main(void) { if (f(2) != 20) reach_error(); return 0; }
