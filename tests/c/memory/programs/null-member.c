extern void reach_error(void);
struct a { int first; char b[100]; };
int offset(struct a *a) { return (long)&a->b == 4 && &a->first == 0; }
int main(void) { if (!offset((struct a *)0)) reach_error(); return 0; }
