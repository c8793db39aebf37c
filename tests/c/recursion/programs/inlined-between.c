// A function between two calls has variables of its own.
extern void reach_error(void);
static int f(int n);
static void put(int *to, int n) { int x = f(n); *to = x + 1; }
static int f(int n) { int x = 0; if (n > 0) put(&x, n - 1); return x; }
int main(void) { if (f(3) == 3) reach_error(); return 0; }
