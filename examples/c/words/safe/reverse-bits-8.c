/* The bits of a byte in reverse, by halves and one by one. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    unsigned char fast = x, slow = 0;
    fast = (fast >> 4) | (fast << 4);
    fast = ((fast & 0xcc) >> 2) | ((fast & 0x33) << 2);
    fast = ((fast & 0xaa) >> 1) | ((fast & 0x55) << 1);
    for (int i = 0; i < 8; i++)
        slow |= ((x >> i) & 1) << (7 - i);
    if (fast != slow)
        reach_error();
    return 0;
}
