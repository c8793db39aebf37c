/* A length is never negative, and what is no number is told. */
#include <math.h>
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), length = sqrt(fabs(x));
    if (signbit(-0.0) == 0 || length < 0 || (length != length && !isnan(x)))
        reach_error();
    return 0;
}
