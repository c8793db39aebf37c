/* An odd number times its inverse is one: wrong in one place. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort();
    unsigned short odd = x | 2, inverse = odd;
    inverse = inverse * (2 - odd * inverse);
    inverse = inverse * (2 - odd * inverse);
    inverse = inverse * (2 - odd * inverse);
    if ((unsigned short)(odd * inverse) != 1)
        reach_error();
    return 0;
}
