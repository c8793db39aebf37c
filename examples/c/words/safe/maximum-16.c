/* The greater of two short numbers without a branch. */
extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

int main(void)
{
    short x = __VERIFIER_nondet_short();
    short y = __VERIFIER_nondet_short();
    short greater = x ^ ((x ^ y) & -(x < y));
    if (greater != (x > y ? x : y))
        reach_error();
    return 0;
}
