/* The absolute value without a branch. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int mask = x >> 31;
    unsigned int magnitude = (unsigned int)(x ^ mask) - (unsigned int)mask;
    unsigned int expected = x < 0 ? 0u - (unsigned int)x : (unsigned int)x;
    if (magnitude != expected)
        reach_error();
    return 0;
}
