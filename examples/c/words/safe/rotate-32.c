/* A rotation and the one back. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int n = __VERIFIER_nondet_uint();
    unsigned int k = n & 31, left, back;
    left = (x << k) | (x >> (-k & 31));
    back = (left >> k) | (left << (-k & 31));
    if (back != x)
        reach_error();
    return 0;
}
