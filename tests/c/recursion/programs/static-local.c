// A static variable is the same in all calls.
extern void reach_error(void);
static int f(int n) { static int calls; calls++; if (n > 0) f(n - 1); return calls; }
int main(void) { f(2); if (f(1) == 5) reach_error(); return 0; }
