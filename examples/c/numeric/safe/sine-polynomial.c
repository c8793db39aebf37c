/* The polynomial of the fifth degree is as near to that of the seventh as the next term says. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), square, fifth, seventh, difference;
    if (!(x >= -1.0 && x <= 1.0))
        return 0;
    square = x * x;
    fifth = x * (1.0 - square / 6.0 * (1.0 - square / 20.0));
    seventh = x * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0)));
    difference = fifth - seventh;
    if (!(difference <= 0.002 && difference >= -0.002))
        reach_error();
    return 0;
}
