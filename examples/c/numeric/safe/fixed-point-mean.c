/* The mean of two fixed-point numbers of sixteen bits is the one of floating-point numbers, rounded down. */
extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

int main(void)
{
    short a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short();
    int mean = (a + b) >> 1;
    double exact = ((double)a + (double)b) * 0.5;
    if (!(mean <= exact && exact <= mean + 0.5))
        reach_error();
    return 0;
}
