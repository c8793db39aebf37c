/* The sign of 64 bits without a branch: wrong in one place. */
extern long long __VERIFIER_nondet_longlong(void);
extern void reach_error(void);

int main(void)
{
    long long x = __VERIFIER_nondet_longlong();
    unsigned long long negated = 0ull - (unsigned long long)x;
    int sign = (int)(x >> 63) | (int)(negated >> 62);
    int expected = x < 0 ? -1 : x > 0;
    if (sign != expected)
        reach_error();
    return 0;
}
