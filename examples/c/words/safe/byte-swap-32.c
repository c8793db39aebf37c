/* The bytes in reverse, twice, and by pairs. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int a = (x >> 24) | ((x >> 8) & 0xff00) | ((x & 0xff00) << 8) | (x << 24);
    unsigned int b = ((x & 0x00ff00ffu) << 8) | ((x >> 8) & 0x00ff00ffu);
    b = (b << 16) | (b >> 16);
    if (a != b)
        reach_error();
    return 0;
}
