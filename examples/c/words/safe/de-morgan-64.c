/* De Morgan. */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);

int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    unsigned long long y = __VERIFIER_nondet_ulonglong();
    if (~(x & y) != (~x | ~y) || ~(x | y) != (~x & ~y))
        reach_error();
    return 0;
}
