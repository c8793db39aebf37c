/* Five steps of Newton's method give the roots of small integers to five digits. */
extern void reach_error(void);

static double root(double x)
{
    double guess = x > 1.0 ? x / 2.0 : 1.0;
    int step;
    for (step = 0; step < 5; step++)
        guess = 0.5 * (guess + x / guess);
    return guess;
}

int main(void)
{
    int n;
    for (n = 1; n <= 8; n++) {
        double error = root(n) * root(n) - n;
        if (!(error < 1e-5 && error > -1e-5))
            reach_error();
    }
    return 0;
}
