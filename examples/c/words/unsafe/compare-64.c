/* An unsigned comparison by logic and a difference: wrong in one place. */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);

int main(void)
{
    unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong();
    unsigned long long less = ((~a & b) | ((a | b) & (a - b))) >> 63;
    if (less != (a < b))
        reach_error();
    return 0;
}
