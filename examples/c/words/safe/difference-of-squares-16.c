/* A difference of squares is a product. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort(), y = __VERIFIER_nondet_ushort();
    unsigned int product = ((unsigned int)x + y) * ((unsigned int)x - y);
    if (product != (unsigned int)x * x - (unsigned int)y * y)
        reach_error();
    return 0;
}
