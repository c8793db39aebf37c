/* The average of two signed numbers, rounded down. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    int average = (a & b) + ((a ^ b) >> 1);
    long long sum = (long long)a + b;
    if (average != (sum >> 1))
        reach_error();
    return 0;
}
