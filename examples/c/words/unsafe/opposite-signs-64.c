/* Two numbers have opposite signs: wrong in one place. */
extern long long __VERIFIER_nondet_longlong(void);
extern void reach_error(void);

int main(void)
{
    long long x = __VERIFIER_nondet_longlong();
    long long y = __VERIFIER_nondet_longlong();
    int opposite = (x ^ y) <= 0;
    if (opposite != ((x < 0) != (y < 0)))
        reach_error();
    return 0;
}
