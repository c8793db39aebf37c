/* A product of bytes by shifts and sums. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();
    unsigned int product = 0;
    for (int i = 0; i < 8; i++)
        product += (0u - ((y >> i) & 1u)) & ((unsigned int)x << i);
    if (product != (unsigned int)x * y)
        reach_error();
    return 0;
}
