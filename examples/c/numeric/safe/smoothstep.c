/* A smooth step from zero to one leaves the interval by no more than rounding. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float(), t, step;
    if (!(x >= 2.0f && x <= 6.0f))
        return 0;
    t = (x - 2.0f) / 4.0f;
    step = t * t * (3.0f - 2.0f * t);
    if (!(step >= -0.0001f && step <= 1.0001f))
        reach_error();
    return 0;
}
