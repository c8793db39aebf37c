// A function is handed on as a parameter.
extern void reach_error(void);
static int twice(int (*g)(int (*)(), int), int n) { return g(0, n) + g(0, n - 1); }
static int f(int (*unused)(), int n) { return n <= 0 ? 1 : twice(f, n - 1); }
int main(void) { if (f(0, 3) == 4) reach_error(); return 0; }
