/* Population count of 64 bits: the last sums by one multiplication: wrong in one place. */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);

int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    unsigned long long n = x - ((x >> 1) & 0x5555555555555555ull);
    n = (n & 0x3333333333333333ull) + ((n >> 2) & 0x3333333333333333ull);
    n = (n + (n >> 4)) & 0x0f0f0f0f0f0f0f0full;
    unsigned long long fast = n * 0x0101010101010101ull >> 56, slow = n + (n >> 8);
    slow += slow >> 16;
    slow += slow >> 32;
    if (fast != (slow & 63))
        reach_error();
    return 0;
}
