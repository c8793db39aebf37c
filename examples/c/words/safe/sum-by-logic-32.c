/* A sum is what has no carry and twice the carries. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int y = __VERIFIER_nondet_uint();
    if (x + y != (x ^ y) + 2 * (x & y))
        reach_error();
    return 0;
}
