// The length of an array that is a parameter is evaluated.
extern void reach_error(void);
void f(int a, int b[a++]) { if (a != 2) reach_error(); }
int main(void) { int e[10]; f(1, e); return 0; }
