/* The lowest bit that is one, in three ways. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int a = x & -x, b = x & ~(x - 1), c = (x ^ (x - 1)) & x;
    if (a != b || b != c)
        reach_error();
    return 0;
}
