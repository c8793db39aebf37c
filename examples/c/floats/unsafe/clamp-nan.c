/* What is no number passes through comparisons that look for values outside. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x < 0.0)
        x = 0.0;
    if (x > 1.0)
        x = 1.0;
    if (!(x >= 0.0 && x <= 1.0))
        reach_error();
    return 0;
}
