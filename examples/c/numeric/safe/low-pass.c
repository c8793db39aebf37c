/* A filter with a state stays in the range of its inputs. */
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    float state = 0.0f;
    while (__VERIFIER_nondet_int()) {
        float input = __VERIFIER_nondet_float();
        if (input >= -1.0f && input <= 1.0f)
            state = 0.75f * state + 0.25f * input;
        if (!(state >= -1.0f && state <= 1.0f))
            reach_error();
    }
    return 0;
}
