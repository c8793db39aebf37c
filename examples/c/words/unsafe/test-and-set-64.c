/* A bit that was set is seen, and no other has changed: wrong in one place. */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    unsigned char n = __VERIFIER_nondet_uchar();
    unsigned int k = n & 63;
    unsigned long long set = x | (1ull << k), cleared = set ^ x;
    if (!((set >> k) & 1) || ((cleared ^ x) & ~(1ull << k)) != 0 || ((cleared >> k) & 1))
        reach_error();
    return 0;
}
