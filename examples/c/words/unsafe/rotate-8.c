/* Rotations one after another add up: wrong in one place. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    unsigned char n = __VERIFIER_nondet_uchar();
    unsigned int k = n & 7;
    unsigned char one = (x << k) | (x >> (8 - k));
    unsigned char other = (one << (8 - k)) | (one >> (k + 1));
    if (other != x)
        reach_error();
    return 0;
}
