/* What an inner index has computed is there when the outer one is applied. */
extern int printf(const char *format, ...);
extern int __VERIFIER_nondet_int(void);
long g = 19;
int f(long *p) { if (g == 3) return 2; return *p; }
int main(void) {
    int m[2][3] = {{19}, {1, 24, 3}};
    int (*row)[3] = m;
    int a = row[(int) (f(&g) % 100) & 1][2];
    int b = row[(int) (f(&g) % 100) - 18][2];
    int c = row[(int) (g % 100) & 1][2];
    int d = m[(int) (f(&g) % 100) & 1][2];
    int e = row[f(&g) & 1][2];
    int h = (*row)[0] + row[f(&g) & 1][2];
    int k = row[1][2];
    printf("%lld\n", (long long) a);
    printf("%lld\n", (long long) b);
    printf("%lld\n", (long long) c);
    printf("%lld\n", (long long) d);
    printf("%lld\n", (long long) e);
    printf("%lld\n", (long long) h);
    printf("%lld\n", (long long) k);
    return 0;
}
