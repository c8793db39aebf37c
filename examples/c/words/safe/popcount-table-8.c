/* Population count of a byte by a table for its halves. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static const unsigned char ones[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    unsigned int pairs = x - ((x >> 1) & 0x55u);
    unsigned int halves = (pairs & 0x33) + ((pairs >> 2) & 0x33);
    if (ones[x & 15] + ones[x >> 4] != ((halves + (halves >> 4)) & 15))
        reach_error();
    return 0;
}
