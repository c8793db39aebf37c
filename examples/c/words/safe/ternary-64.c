/* Two of three bits, in two ways. */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);

int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    unsigned long long y = __VERIFIER_nondet_ulonglong();
    unsigned long long z = __VERIFIER_nondet_ulonglong();
    unsigned long long majority = (x & y) | (y & z) | (x & z);
    if (majority != ((x & y) | ((x ^ y) & z)))
        reach_error();
    return 0;
}
