/* The middle of two numbers is between them, as long as the sum is finite. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float low = __VERIFIER_nondet_float(), high = __VERIFIER_nondet_float(), middle;
    if (!(low <= high && low >= -1e30f && high <= 1e30f))
        return 0;
    middle = (low + high) / 2.0f;
    if (!(low <= middle && middle <= high))
        reach_error();
    return 0;
}
