// Calls in conditions, some of which are not evaluated.
extern void reach_error(void);
static int calls;
static int f(int n) { calls++; return n <= 0 || (f(n - 1) && calls > 2 && f(n - 2)); }
int main(void) { int r = f(3); if (r == 1 && calls == 7) reach_error(); return 0; }
