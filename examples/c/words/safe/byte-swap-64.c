/* The bytes in reverse, twice. */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);

int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    unsigned long long a = x;
    for (int i = 0; i < 2; i++) {
        a = ((a >> 8) & 0x00ff00ff00ff00ffull) | ((a & 0x00ff00ff00ff00ffull) << 8);
        a = ((a >> 16) & 0x0000ffff0000ffffull) | ((a & 0x0000ffff0000ffffull) << 16);
        a = (a >> 32) | (a << 32);
    }
    if (a != x)
        reach_error();
    return 0;
}
