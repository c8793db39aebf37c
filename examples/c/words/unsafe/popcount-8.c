/* Population count of a byte: wrong in one place. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    unsigned int n = x - ((x >> 1) & 0x55), slow = 0;
    n = (n & 0x33) + ((n >> 2) & 0x13);
    n = (n + (n >> 4)) & 0x0f;
    for (int i = 0; i < 8; i++)
        slow += (x >> i) & 1;
    if (n != slow)
        reach_error();
    return 0;
}
