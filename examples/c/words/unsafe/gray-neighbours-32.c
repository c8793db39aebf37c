/* The Gray codes of neighbours differ in one bit: wrong in one place. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int y = x + 1;
    unsigned int difference = (x ^ (x >> 1)) ^ (y ^ (y >> 2));
    if (difference == 0 || (difference & (difference - 1)) != 0)
        reach_error();
    return 0;
}
