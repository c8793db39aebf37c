/* The average without a carry, rounded up, of numbers whose sum would wrap. */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);

int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    unsigned long long y = __VERIFIER_nondet_ulonglong();
    unsigned long long average = (x | y) - ((x ^ y) >> 1);
    unsigned long long halves = x / 2 + y / 2 + ((x | y) & 1);
    if (average != halves)
        reach_error();
    return 0;
}
