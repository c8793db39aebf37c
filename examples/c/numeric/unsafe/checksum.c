/* Eight bytes added as floating-point numbers and as integers: the sums are the same. A number before them is so large that single units are lost. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    float sum = 16777216.0f;
    int exact = 16777216;
    for (int i = 0; i < 8; i++) {
        unsigned char byte = __VERIFIER_nondet_uchar();
        sum += byte;
        exact += byte;
    }
    if ((int)sum != exact)
        reach_error();
    return 0;
}
