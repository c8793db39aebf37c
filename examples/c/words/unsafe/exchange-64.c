/* Two numbers exchanged without a third: wrong in one place. */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);

int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    unsigned long long y = __VERIFIER_nondet_ulonglong();
    unsigned long long a = x, b = y;
    a ^= b;
    b |= a;
    a ^= b;
    if (a != y || b != x)
        reach_error();
    return 0;
}
