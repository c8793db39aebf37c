/* A size rounded up to a multiple of sixteen: wrong in one place. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int rounded = (x + 16) & ~15u;
    if (x <= 0xfffffff0u && (rounded % 16 != 0 || rounded < x || rounded - x >= 16))
        reach_error();
    return 0;
}
