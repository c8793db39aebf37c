/* When a signed sum overflows, by the signs: wrong in one place. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    unsigned int sum = (unsigned int)x + (unsigned int)y;
    unsigned int overflow = ((sum ^ (unsigned int)x) | (sum ^ (unsigned int)y)) >> 31;
    long long exact = (long long)x + y;
    if (overflow != (exact > 2147483647LL || exact < -2147483647LL - 1))
        reach_error();
    return 0;
}
