/* Whether a block crosses a page. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int a = __VERIFIER_nondet_uint();
    unsigned int l = __VERIFIER_nondet_uint();
    unsigned int length = 1 + (l & 0xff), start = a & 0x7fffffff;
    int crosses = ((start ^ (start + length - 1)) & ~4095u) != 0;
    if (crosses != (start / 4096 != (start + length - 1) / 4096))
        reach_error();
    return 0;
}
