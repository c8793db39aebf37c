/* Euler's method with small steps: what cools down stays between what is around it and what it was. The steps are so large that it oscillates. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double start = __VERIFIER_nondet_double(), temperature;
    if (!(start >= 20.0 && start <= 90.0))
        return 0;
    temperature = start;
    for (int step = 0; step < 30; step++)
        temperature += 2.1 * (20.0 - temperature);
    if (!(temperature >= 19.9 && temperature <= 24.0))
        reach_error();
    return 0;
}
