/* The smaller of two numbers without a branch. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int smaller = y ^ ((x ^ y) & -(x < y));
    if (smaller != (x < y ? x : y))
        reach_error();
    return 0;
}
