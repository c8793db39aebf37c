/* The number of trailing zeros by a product with a de Bruijn sequence, and a table. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static const unsigned char place[32] = {0,  1,  28, 2,  29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
                                       31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9};

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    if (x == 0)
        return 0;
    unsigned int lowest = x & (0u - x);
    unsigned int zeros = place[lowest * 0x077cb531u >> 27];
    if (lowest != 1u << zeros)
        reach_error();
    return 0;
}
