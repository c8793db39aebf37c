/* Without its lowest one a number has one less: wrong in one place. */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);

int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    unsigned long long rest = x & (x - 1), low = x & ~x;
    if (rest + low != x)
        reach_error();
    return 0;
}
