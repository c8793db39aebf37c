/* A vector divided by its length has coordinates up to one. */
extern double __VERIFIER_nondet_double(void);
extern double sqrt(double);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double(), length, unit;
    if (!(x >= -100.0 && x <= 100.0 && y >= -100.0 && y <= 100.0))
        return 0;
    length = sqrt(x * x + y * y);
    if (length < 0.01)
        return 0;
    unit = x / length;
    if (!(unit >= -1.1 && unit <= 1.1))
        reach_error();
    return 0;
}
