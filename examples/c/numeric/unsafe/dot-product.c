/* The product of two vectors of three numbers up to one is three at most. It may be greater than two. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

static float unit(void)
{
    float x = __VERIFIER_nondet_float();
    return x >= -1.0f && x <= 1.0f ? x : 0.0f;
}

int main(void)
{
    float a[3], b[3], sum = 0.0f;
    for (int i = 0; i < 3; i++) {
        a[i] = unit();
        b[i] = unit();
    }
    for (int i = 0; i < 3; i++)
        sum += a[i] * b[i];
    if (!(sum >= -3.0f && sum <= 2.0f))
        reach_error();
    return 0;
}
