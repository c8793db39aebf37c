/* Bits of one number or of another by a mask: wrong in one place. */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);

int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    unsigned long long y = __VERIFIER_nondet_ulonglong();
    unsigned long long mask = __VERIFIER_nondet_ulonglong();
    unsigned long long merged = x ^ ((x | y) & mask);
    if (merged != ((x & ~mask) | (y & mask)))
        reach_error();
    return 0;
}
