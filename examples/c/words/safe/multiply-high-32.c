/* The upper half of a product by four halves. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int y = __VERIFIER_nondet_uint();
    unsigned int x0 = x & 0xffff, x1 = x >> 16, y0 = y & 0xffff;
    unsigned int w0 = x0 * y0, t = x1 * y0 + (w0 >> 16);
    unsigned long long whole = (unsigned long long)x * y0;
    if ((t >> 16) != (unsigned int)(whole >> 32))
        reach_error();
    return 0;
}
