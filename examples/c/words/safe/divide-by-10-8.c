/* A byte divided by ten, by a multiplication. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    unsigned int quotient = (x * 205u) >> 11;
    if (quotient != x / 10)
        reach_error();
    return 0;
}
