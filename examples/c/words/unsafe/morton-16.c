/* Bits of two bytes between each other, and out again: wrong in one place. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    unsigned char y = __VERIFIER_nondet_uchar();
    unsigned int a = x, b = y, z;
    a = (a | (a << 4)) & 0x0f0f;
    a = (a | (a << 3)) & 0x3333;
    a = (a | (a << 1)) & 0x5555;
    b = (b | (b << 4)) & 0x0f0f;
    b = (b | (b << 2)) & 0x3333;
    b = (b | (b << 1)) & 0x5555;
    z = a | (b << 1);
    z &= 0x5555;
    z = (z | (z >> 1)) & 0x3333;
    z = (z | (z >> 2)) & 0x0f0f;
    z = (z | (z >> 4)) & 0x00ff;
    if (z != x)
        reach_error();
    return 0;
}
