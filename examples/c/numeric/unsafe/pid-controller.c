/* A controller whose integral is limited has a limited output, whatever it measures. The limit leaves out the differential part. */
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    float integral = 0.0f, last = 0.0f;
    while (__VERIFIER_nondet_int()) {
        float measured = __VERIFIER_nondet_float(), error, output;
        if (!(measured >= -100.0f && measured <= 100.0f))
            continue;
        error = 20.0f - measured;
        integral += 0.5f * error;
        if (integral > 50.0f)
            integral = 50.0f;
        if (integral < -50.0f)
            integral = -50.0f;
        output = 2.0f * error + integral + 0.25f * (error - last);
        last = error;
        if (!(output >= -289.0f && output <= 289.0f))
            reach_error();
    }
    return 0;
}
