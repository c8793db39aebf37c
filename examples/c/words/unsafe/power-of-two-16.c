/* A power of two has one bit: wrong in one place. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort();
    int is_power = (x & (x - 1)) == 0, bits = 0;
    for (int i = 0; i < 16; i++)
        bits += (x >> i) & 1;
    if (is_power != (bits == 1))
        reach_error();
    return 0;
}
