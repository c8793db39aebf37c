/* The middle of two large numbers is infinite. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double low = __VERIFIER_nondet_double(), high = __VERIFIER_nondet_double(), middle;
    if (!(low <= high && low > 0.0 && high < 1.7e308))
        return 0;
    middle = (low + high) / 2.0;
    if (middle > high)
        reach_error();
    return 0;
}
