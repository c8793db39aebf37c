extern int printf(const char *format, ...);
extern int __VERIFIER_nondet_int(void);

/* What is evaluated in one branch only must say nothing about runs through the other one. */
int main(void) {
    int n = __VERIFIER_nondet_int() % 100;
    unsigned char m = 3;
    int nothing = n >= m ? !n : 7;
    int wrapped = n >= 0 ? (unsigned char) (n + 250) : -n;
    int both = n >= m && (n != 5) + (signed char) (n * 2) > 0;
    int chosen = n < 0 ? 1 : (n > 50 ? (unsigned char) (n * 5) : !n);
    printf("%lld\n", (long long) nothing);
    printf("%lld\n", (long long) wrapped);
    printf("%lld\n", (long long) both);
    printf("%lld\n", (long long) chosen);
    return 0;
}
