/* The number of bytes wraps round: one element is copied. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void *memcpy(void *target, const void *source, unsigned long bytes);

int main(void)
{
    int from[4] = {1, 2, 3, 4}, to[4] = {0, 0, 0, 0};
    unsigned n = __VERIFIER_nondet_uint();
    if (n != 0x40000001u)
        return 0;
    memcpy(to, from, n * 4u);
    if (to[0] == 1 && to[1] == 0)
        reach_error();
    return 0;
}
