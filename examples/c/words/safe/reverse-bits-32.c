/* The bits in reverse, twice. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int a = x;
    for (int i = 0; i < 2; i++) {
        a = ((a & 0x55555555u) << 1) | ((a >> 1) & 0x55555555u);
        a = ((a & 0x33333333u) << 2) | ((a >> 2) & 0x33333333u);
        a = ((a & 0x0f0f0f0fu) << 4) | ((a >> 4) & 0x0f0f0f0fu);
        a = (a << 24) | ((a & 0xff00) << 8) | ((a >> 8) & 0xff00) | (a >> 24);
    }
    if (a != x)
        reach_error();
    return 0;
}
