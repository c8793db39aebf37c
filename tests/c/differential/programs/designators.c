/* A list in braces takes back what earlier designators have put into its part. */
extern int printf(const char *format, ...);
int main(void) {
    int a = 4, *p = &a;
    struct { int x; struct { char k[3]; short z; } y[2]; } s = {.y[1].k[1] = 50, 6, .x = *p, {{1}, 2}};
    printf("%lld\n", (long long) s.x);
    printf("%lld\n", (long long) s.y[0].k[0]);
    printf("%lld\n", (long long) s.y[0].z);
    printf("%lld\n", (long long) s.y[1].k[0]);
    printf("%lld\n", (long long) s.y[1].k[1]);
    printf("%lld\n", (long long) s.y[1].k[2]);
    struct { int x[3]; int y; } t = {.x[2] = 7, .x = {1}, .y = 3, .x[1] = 4};
    printf("%lld\n", (long long) t.x[0]);
    printf("%lld\n", (long long) t.x[1]);
    printf("%lld\n", (long long) t.x[2]);
    return 0;
}
