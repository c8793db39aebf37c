// The program's first function calls itself.
extern void reach_error(void);
static int depth;
int main(void) { int own = depth++; if (own < 3) main(); else return 0; if (own == 0 && depth == 4) reach_error(); return 0; }
