/* The integral of ten values up to one over one second, by trapezoids. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double integral = 0.0, before = 0.0;
    for (int step = 0; step < 10; step++) {
        double now = __VERIFIER_nondet_double();
        if (!(now >= 0.0 && now <= 1.0))
            return 0;
        integral += 0.1 * (0.5 * (before + now));
        before = now;
    }
    if (!(integral >= 0.0 && integral <= 0.9501))
        reach_error();
    return 0;
}
