/* The parity of a byte by a table in a word: wrong in one place. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned char x = __VERIFIER_nondet_uchar();
    unsigned int folded = (x ^ (x >> 4)) & 15, slow = 0;
    for (int i = 0; i < 8; i++)
        slow ^= (x >> i) & 1;
    if (((0x6997u >> folded) & 1) != slow)
        reach_error();
    return 0;
}
