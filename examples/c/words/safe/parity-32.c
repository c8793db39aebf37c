/* The parity by folding and by a multiplication. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int a = x, b = x;
    a ^= a >> 16;
    a ^= a >> 8;
    a ^= a >> 4;
    a ^= a >> 2;
    a ^= a >> 1;
    b ^= b >> 1;
    b ^= b >> 2;
    b = (b & 0x11111111u) * 0x11111111u;
    if ((a & 1) != ((b >> 28) & 1))
        reach_error();
    return 0;
}
