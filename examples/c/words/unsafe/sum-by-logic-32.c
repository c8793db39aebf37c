/* A sum is what has no carry and twice the carries: wrong in one place. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int y = __VERIFIER_nondet_uint();
    if (x + y != (x ^ y) + (x & y))
        reach_error();
    return 0;
}
