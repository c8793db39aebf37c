/* A division by seven by multiplying and shifting. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort();
    unsigned int high = (x * 0x2493u) >> 16;
    unsigned int quotient = (((x - high) >> 1) + high) >> 2;
    if (quotient != x / 7)
        reach_error();
    return 0;
}
