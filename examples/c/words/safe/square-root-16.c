/* The square root of 16 bits, bit by bit. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    unsigned short x = __VERIFIER_nondet_ushort();
    unsigned int rest = x, root = 0;
    for (unsigned int bit = 0x4000; bit != 0; bit >>= 2) {
        unsigned int trial = root | bit;
        root >>= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= bit;
        }
    }
    if (root * root > x || (root + 1) * (root + 1) <= x)
        reach_error();
    return 0;
}
