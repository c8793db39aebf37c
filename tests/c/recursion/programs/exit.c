// A call ends the program before the error.
extern void reach_error(void);
extern void exit(int);
static void f(int n) { if (n == 0) exit(0); f(n - 1); }
int main(void) { f(2); reach_error(); return 0; }
