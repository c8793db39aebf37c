/* A filter of the second order keeps what it was built for. The bound is below what inputs of one sign lead to. */
extern float __VERIFIER_nondet_float(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    float last = 0.0f, before = 0.0f;
    while (__VERIFIER_nondet_int()) {
        float input = __VERIFIER_nondet_float(), now;
        if (!(input >= -1.0f && input <= 1.0f))
            continue;
        now = 1.2f * last - 0.5f * before + input;
        before = last;
        last = now;
        if (!(now >= -3.0f && now <= 3.0f))
            reach_error();
    }
    return 0;
}
