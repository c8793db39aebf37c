/* The Taylor polynomial of the sine stays between its neighbours, which are below and above the sine. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float(), square, sine;
    if (!(x >= 0.0f && x <= 0.5f))
        return 0;
    square = x * x;
    sine = x * (1.0f - square * (1.0f / 6.0f));
    if (!(sine >= 0.0f && sine <= 0.5f))
        reach_error();
    return 0;
}
