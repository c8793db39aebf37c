/* A sum that stays at the greatest byte. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    unsigned char y = __VERIFIER_nondet_uchar();
    unsigned char sum = x + y;
    sum |= -(sum < x);
    if (sum != (x + y > 255 ? 255 : x + y))
        reach_error();
    return 0;
}
