/* Bit-fields narrower than `int` are `int` in expressions, wider ones have a type of their width. */
extern int printf(const char *format, ...);
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
struct fields {
    unsigned long a : 40;
    long b : 35;
    unsigned int c : 32;
    int d : 1;
    long f : 20;
    unsigned long g : 33;
    unsigned long h : 31;
    unsigned long i : 32;
};
int main(void) {
    struct fields s = {0};
    s.a = __VERIFIER_nondet_ulong();
    s.b = __VERIFIER_nondet_ulong();
    s.c = __VERIFIER_nondet_int();
    s.d = __VERIFIER_nondet_int();
    s.f = __VERIFIER_nondet_int();
    s.g = s.a;
    s.h = s.a;
    s.i = s.a;
    printf("%lld\n", (long long) s.a);
    printf("%lld\n", (long long) s.b);
    printf("%lld\n", (long long) (s.a << 3));
    printf("%lld\n", (long long) (s.a * 5 - 1));
    printf("%lld\n", (long long) ~s.a);
    printf("%lld\n", (long long) -s.g);
    printf("%lld\n", (long long) (s.a + 1L));
    printf("%lld\n", (long long) (s.a - 1 < 0));
    printf("%lld\n", (long long) (s.h - 3 < 0));
    printf("%lld\n", (long long) (s.i + s.c));
    printf("%lld\n", (long long) (s.d + s.f));
    printf("%lld\n", (long long) (s.a > s.b));
    printf("%lld\n", (long long) (s.a += 7));
    s.g++;
    s.g ^= s.a;
    printf("%lld\n", (long long) s.g);
    printf("%lld\n", (long long) sizeof(s.a + 0));
    return 0;
}
