/* The difference, or zero where it is negative, without a branch: wrong in one place. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    unsigned int difference = (unsigned int)a - (unsigned int)b;
    unsigned int overflow = difference ^ (((unsigned int)a ^ (unsigned int)b) & (difference ^ (unsigned int)a));
    unsigned int found = difference & ((difference >> 31) - 1u);
    unsigned int expected = a >= b ? difference : 0;
    if (found != expected)
        reach_error();
    return 0;
}
