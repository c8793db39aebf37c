/* Swapped bytes, and swapped back: wrong in one place. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

static unsigned short swapped(unsigned short x)
{
    return (unsigned short)(x << 8 | x >> 9);
}

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort();
    unsigned short y = swapped(x);
    if ((y & 255) != x >> 8 || y >> 8 != (x & 255) || swapped(y) != x)
        reach_error();
    return 0;
}
