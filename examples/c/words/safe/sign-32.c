/* The sign as -1, 0 or 1. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int sign = (x >> 31) | (int)((unsigned int)-(unsigned int)x >> 31);
    int expected = x > 0 ? 1 : x < 0 ? -1 : 0;
    if (sign != expected)
        reach_error();
    return 0;
}
