/* A mask of the bits below one. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned int k = n & 31, mask = (1u << k) - 1;
    if ((mask & (mask + 1)) != 0 || (k < 31 && (mask >> k) != 0) || mask + 1 != 1u << k)
        reach_error();
    return 0;
}
