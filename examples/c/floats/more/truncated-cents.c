/* Cents become dollars, and fewer cents again if they are truncated: 0.29 * 100 is less than 29. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    int cents = __VERIFIER_nondet_uchar();
    double dollars = cents / 100.0;
    if ((int)(dollars * 100.0) != cents)
        reach_error();
    return 0;
}
