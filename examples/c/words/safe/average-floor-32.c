/* The average without a carry, rounded down. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int y = __VERIFIER_nondet_uint();
    unsigned int average = (x & y) + ((x ^ y) >> 1);
    if (average != ((unsigned long long)x + y) / 2)
        reach_error();
    return 0;
}
