// The bits of an address that the alignment fixes.
extern void reach_error(void);
struct inner { int __attribute__((aligned(8))) a; };
struct { char c; struct inner m; } v;
int main(void) { if ((int)(long)&v.m & 7) reach_error(); return 0; }
