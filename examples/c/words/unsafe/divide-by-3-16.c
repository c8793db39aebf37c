/* A division by three is a multiplication by a reciprocal: wrong in one place. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort();
    unsigned int quotient = (x * 0xaaaau) >> 17;
    if (quotient != x / 3)
        reach_error();
    return 0;
}
