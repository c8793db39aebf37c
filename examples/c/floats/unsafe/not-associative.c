/* Sums depend on their order. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float a = __VERIFIER_nondet_float(), b = __VERIFIER_nondet_float();
    if (a > 0.0f && a < 100.0f && b > 0.0f && b < 100.0f && (a + b) - b != a)
        reach_error();
    return 0;
}
