/* The next power of two is at least the number, and less than twice as much: wrong in one place. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int n = x - 1;
    n |= n >> 1;
    n |= n >> 2;
    n |= n >> 3;
    n |= n >> 8;
    n |= n >> 16;
    n++;
    if (x >= 1 && x <= 0x80000000u && (n < x || n / 2 >= x || (n & (n - 1)) != 0))
        reach_error();
    return 0;
}
