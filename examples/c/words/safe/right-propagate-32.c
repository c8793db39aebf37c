/* The lowest one is carried to the right. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int filled = x | (x - 1);
    if (x != 0 && (filled & x) != x)
        reach_error();
    if (x != 0 && ((filled + 1) & filled) != ((x + (x & -x)) & x))
        reach_error();
    return 0;
}
