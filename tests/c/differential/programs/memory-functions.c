/* `memmove` inside an array, `memset` with other bytes than zeros, on wide elements and whole structs. */
extern int printf(const char *format, ...);
extern void *memset(void *target, int value, unsigned long size);
extern void *memcpy(void *target, const void *source, unsigned long size);
extern void *memmove(void *target, const void *source, unsigned long size);
extern int __VERIFIER_nondet_int(void);
struct pair { short first; struct { unsigned long second; signed char third[3]; } inner; };
int numbers[2][3];
int main(void) {
    int a[5] = {1, 2, 3, 4, 5};
    unsigned char b[4] = {1, 2, 3, 4};
    long wide[2];
    struct pair pair;
    int byte = __VERIFIER_nondet_int();
    memmove(a + 1, a, 3 * sizeof(int));
    memmove(b, b + 1, 3);
    for (int i = 0; i < 5; i++) printf("%lld\n", (long long) a[i]);
    for (int i = 0; i < 4; i++) printf("%lld\n", (long long) b[i]);
    memset(numbers, -1, sizeof numbers);
    memset(&pair, byte, sizeof pair);
    memset(wide, byte, sizeof wide);
    memset(a + 1, 0x1ff, 2 * sizeof a[0]);
    printf("%lld\n", (long long) numbers[1][2]);
    printf("%lld\n", (long long) pair.first);
    printf("%lld\n", (long long) pair.inner.second);
    printf("%lld\n", (long long) pair.inner.third[2]);
    printf("%lld\n", (long long) wide[1]);
    printf("%lld\n", (long long) (a[0] + a[1] + a[2]));
    memcpy(a, &a[3], 2 * sizeof(int));
    for (int i = 0; i < 5; i++) printf("%lld\n", (long long) a[i]);
    return 0;
}
