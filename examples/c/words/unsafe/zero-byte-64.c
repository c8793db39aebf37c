/* Whether one of eight bytes is zero: wrong in one place. */
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);

int main(void)
{
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    unsigned long long found = (x - 0x0101010101010101ull) & ~x & 0x8080808080800080ull;
    int expected = 0;
    for (int i = 0; i < 8; i++)
        expected |= ((x >> (8 * i)) & 255) == 0;
    if ((found != 0) != expected)
        reach_error();
    return 0;
}
