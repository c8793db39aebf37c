/* The next power of two of 16 bits: wrong in one place. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort();
    unsigned int n = x - 1u;
    n |= n >> 1;
    n |= n >> 2;
    n |= n >> 5;
    n |= n >> 8;
    n++;
    if (x >= 1 && (n < x || n >= 2u * x || (n & (n - 1)) != 0))
        reach_error();
    return 0;
}
