int f(a) int a;
int g(b) int b; { return b; }
int h(void) { return 1; }
