/* From a number to its Gray code and back. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort();
    unsigned short gray = x ^ (x >> 1), back = gray;
    back ^= back >> 1;
    back ^= back >> 2;
    back ^= back >> 4;
    back ^= back >> 8;
    if (back != x)
        reach_error();
    return 0;
}
