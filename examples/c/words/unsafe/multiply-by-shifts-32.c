/* A multiplication by ten and by seven by shifts: wrong in one place. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    if ((x << 3) + (x << 1) != x * 10 || (x << 3) + x != x * 7)
        reach_error();
    return 0;
}
