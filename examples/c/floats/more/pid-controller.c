/* A controller whose output is limited stays within its limits, whatever it measures. */
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static float limited(float value, float limit)
{
    if (value > limit)
        return limit;
    if (value < -limit)
        return -limit;
    return value;
}

int main(void)
{
    float integral = 0.0f, last = 0.0f;
    while (__VERIFIER_nondet_int()) {
        float measured = __VERIFIER_nondet_float(), error, output;
        if (!(measured >= -100.0f && measured <= 100.0f))
            continue;
        error = 20.0f - measured;
        integral = limited(integral + 0.5f * error, 50.0f);
        output = limited(2.0f * error + integral + 0.25f * (error - last), 255.0f);
        last = error;
        if (!(output >= -255.0f && output <= 255.0f))
            reach_error();
    }
    return 0;
}
