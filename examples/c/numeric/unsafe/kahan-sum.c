/* Four numbers added by Kahan's method: the sum is as large as they are. They may be larger than that. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float sum = 0.0f, lost = 0.0f;
    for (int i = 0; i < 4; i++) {
        float number = __VERIFIER_nondet_float(), term, next;
        if (!(number >= 0.0f && number <= 1.0f))
            return 0;
        term = number - lost;
        next = sum + term;
        lost = (next - sum) - term;
        sum = next;
    }
    if (!(sum >= -0.01f && sum <= 3.9f))
        reach_error();
    return 0;
}
