// What a volatile pointer points to is written through a copy of it.
extern void reach_error(void);
int a;
int main(void) { int *volatile c = &a; int *d = c; *d = 5; if (a == 5) reach_error(); return 0; }
