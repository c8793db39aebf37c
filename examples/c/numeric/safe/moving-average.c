/* A running average of eight measurements is where these are. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float average = 0.0f;
    for (int count = 1; count <= 8; count++) {
        float measured = __VERIFIER_nondet_float();
        if (!(measured >= -10.0f && measured <= 10.0f))
            return 0;
        average += (measured - average) / (float)count;
    }
    if (!(average >= -10.01f && average <= 10.01f))
        reach_error();
    return 0;
}
