/* Population count by adding bits, pairs, nibbles and bytes: wrong in one place. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int n = x, slow = 0;
    n = n - ((n >> 1) & 0x55555555u);
    n = (n & 0x33333333u) + ((n >> 2) & 0x33333333u);
    n = (n + (n >> 4)) & 0x0f0f0f07u;
    n = (n * 0x01010101u) >> 24;
    for (int i = 0; i < 32; i++)
        slow += (x >> i) & 1;
    if (n != slow)
        reach_error();
    return 0;
}
