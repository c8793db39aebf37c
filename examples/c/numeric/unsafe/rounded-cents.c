/* Cents become dollars, and cents again if they are rounded. They are truncated instead. */
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void reach_error(void);

int main(void)
{
    int cents = __VERIFIER_nondet_ushort();
    double dollars = cents / 100.0;
    if ((int)(dollars * 100.0) != cents)
        reach_error();
    return 0;
}
