/* Between two numbers, in proportion, and not outside of them by more than rounding. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

int main(void)
{
    double low = __VERIFIER_nondet_double(), high = __VERIFIER_nondet_double(), t = __VERIFIER_nondet_double(), found;
    if (!(low >= -100.0 && low <= high && high <= 100.0) || t != t)
        return 0;
    found = low + clamp(t, 0.0, 1.0) * (high - low);
    if (!(found >= -101.0 && found <= 101.0))
        reach_error();
    return 0;
}
