/* A sample becomes a short integer that is as near as rounding allows. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float sample = __VERIFIER_nondet_float(), scaled;
    if (sample != sample)
        return 0;
    scaled = sample * 32768.0f;
    if (scaled > 32767.0f)
        scaled = 32767.0f;
    if (scaled < -32768.0f)
        scaled = -32768.0f;
    short stored = (short)(scaled < 0.0f ? scaled - 0.5f : scaled + 0.5f);
    float error = (float)stored - scaled;
    if (!(error >= -0.51f && error <= 0.51f))
        reach_error();
    return 0;
}
