/* Whether a word has a byte that is zero. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int found = (x - 0x01010101u) & ~x & 0x80808080u;
    int expected = (x & 0xff) == 0 || (x & 0xff00) == 0 || (x & 0xff0000) == 0 || (x & 0xff000000u) == 0;
    if ((found != 0) != expected)
        reach_error();
    return 0;
}
