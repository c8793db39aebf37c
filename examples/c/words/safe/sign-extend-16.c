/* The sign of a field of twelve bits, extended. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort();
    int field = x & 0xfff;
    int extended = (field ^ 0x800) - 0x800;
    int expected = field >= 0x800 ? field - 0x1000 : field;
    if (extended != expected)
        reach_error();
    return 0;
}
