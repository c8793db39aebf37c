/* The greater root of a quadratic polynomial, where it has one, is no larger than its coefficients allow. */
extern double __VERIFIER_nondet_double(void);
extern double sqrt(double);
extern void reach_error(void);

int main(void)
{
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double(), c = __VERIFIER_nondet_double(), d, root;
    if (!(a >= 1.0 && a <= 2.0 && b >= -4.0 && b <= 4.0 && c >= -1.0 && c <= 1.0))
        return 0;
    d = b * b - 4.0 * a * c;
    if (d < 0.0)
        return 0;
    root = (sqrt(d) - b) / (2.0 * a);
    if (!(root >= -2.5 && root <= 4.5))
        reach_error();
    return 0;
}
