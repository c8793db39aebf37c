/* Three steps of Newton's method give the root of a number from one to four. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), root, error;
    if (!(x >= 1.0 && x <= 4.0))
        return 0;
    root = 0.5 * (1.0 + x);
    for (int step = 0; step < 3; step++)
        root = 0.5 * (root + x / root);
    error = root * root - x;
    if (!(error >= -0.05 && error <= 0.05))
        reach_error();
    return 0;
}
