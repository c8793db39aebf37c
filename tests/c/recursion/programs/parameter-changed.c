// A parameter is a variable of the call.
extern void reach_error(void);
static int f(int n) { int before = n; n--; if (n > 0) f(n); n--; return before - n; }
int main(void) { if (f(5) != 2) reach_error(); return 0; }
