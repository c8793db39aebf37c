/* A difference by exclusive or. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort();
    unsigned short y = __VERIFIER_nondet_ushort();
    unsigned short difference = (x ^ y) - 2 * (~x & y);
    if (difference != (unsigned short)(x - y))
        reach_error();
    return 0;
}
