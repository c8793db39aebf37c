/* Functions that call themselves and each other, and what their variables are when a call comes back. */
extern int printf(const char *format, ...);
extern int __VERIFIER_nondet_int(void);
static int depth, deepest;
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int enter(int n, int scale) {
    int own = n * scale, before = deepest;
    depth++;
    if (depth > deepest) deepest = depth;
    for (int i = 0; i < n && i < 2; i++) own += enter(n - 1 - i, scale + i) % 100;
    printf("%d\n", own);
    printf("%d\n", deepest - before);
    depth--;
    return own - scale;
}
static void down(int n, int *result) {
    int below = n;
    if (n > 0) down(n - 1, n % 2 ? &below : result);
    *result += below;
}
int main(void) {
    int n = __VERIFIER_nondet_int(), result = 1;
    printf("%d\n", even(n & 7) * 2 + odd(n & 3));
    printf("%d\n", enter(n & 3, 5));
    printf("%d\n", depth);
    down(n & 3, &result);
    printf("%d\n", result);
    return 0;
}
