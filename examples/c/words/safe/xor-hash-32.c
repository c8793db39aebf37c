/* A mixing step that can be undone. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int mixed = x ^ (x >> 16), back = mixed ^ (mixed >> 16);
    unsigned int product = x * 0x9e3779b1u;
    if (back != x || product * 0x144cbc89u * 0x9e3779b1u != product * (0x144cbc89u * 0x9e3779b1u))
        reach_error();
    return 0;
}
