// Members of neighbouring elements lie as the elements do.
extern void reach_error(void);
struct s { int a, b; } s[2];
int main(void) { if (&s[0].b < &s[1].a) reach_error(); return 0; }
