extern void reach_error(void);
int top(unsigned char c) { int s = c; return (unsigned)(s << 24) == 0xff000000u; }
int main(void) { if (!top(255)) reach_error(); return 0; }
