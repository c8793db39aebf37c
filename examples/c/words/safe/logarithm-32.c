/* The logarithm by halving. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int rest = x, log = 0;
    if (x == 0)
        return 0;
    if (rest >= 0x10000u) { rest >>= 16; log |= 16; }
    if (rest >= 0x100u) { rest >>= 8; log |= 8; }
    if (rest >= 0x10u) { rest >>= 4; log |= 4; }
    if (rest >= 0x4u) { rest >>= 2; log |= 2; }
    if (rest >= 0x2u) log |= 1;
    if ((x >> log) != 1)
        reach_error();
    return 0;
}
