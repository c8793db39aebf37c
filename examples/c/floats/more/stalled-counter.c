/* A counter in single precision stops at two to the power of 24. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float counter = __VERIFIER_nondet_float();
    if (counter >= 16777216.0f && counter <= 1e30f && counter + 1.0f > counter + 2.0f)
        reach_error();
    return 0;
}
