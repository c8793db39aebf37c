/* Population count of 16 bits, by parallel sums and bit by bit. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort();
    unsigned int n = x - ((x >> 1) & 0x5555u), slow = 0;
    n = (n & 0x3333u) + ((n >> 2) & 0x3333u);
    n = (n + (n >> 4)) & 0x0f0fu;
    n = (n + (n >> 8)) & 31;
    for (int i = 0; i < 16; i++)
        slow += (x >> i) & 1;
    if (n != slow)
        reach_error();
    return 0;
}
