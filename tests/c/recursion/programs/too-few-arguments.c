// A result that nobody has given.
extern void reach_error(void);
static int g;
static int f(int n) { if (n == 0) { g = 1; return 3; } return f(n - 1) + g; }
static void h(int n) { if (n > 0) { h(n - 1); f(n); } }
int main(void) { h(2); if (f(1) != 4) reach_error(); return 0; }
