/* Halved again and again, a number from a thousand down is below a thousandth after twenty steps. Fifteen are too few. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x >= 0.0 && x <= 1000.0))
        return 0;
    for (int step = 0; step < 15; step++)
        x *= 0.5;
    if (x >= 0.001)
        reach_error();
    return 0;
}
