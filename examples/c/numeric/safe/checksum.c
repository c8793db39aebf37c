/* Eight bytes added as floating-point numbers and as integers: the sums are the same. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    float sum = 0.0f;
    int exact = 0;
    for (int i = 0; i < 8; i++) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        sum += byte;
        exact += byte;
    }
    if ((int)sum != exact)
        reach_error();
    return 0;
}
