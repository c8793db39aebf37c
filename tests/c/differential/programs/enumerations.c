/* An enumeration without negative constants is unsigned, a packed one is small; constants are `int` where they fit. */
extern int printf(const char *format, ...);
extern int __VERIFIER_nondet_int(void);
enum plain { ONE = 1, TWO };
enum negative { BELOW = -1, ABOVE };
enum big { HUGE_ONE = 0x80000000u, SMALL_ONE = 1 };
enum mixed { LEAST = -5, MOST = 0xffffffffu };
enum large { WIDE = 0x100000000, NARROW = 7 };
enum __attribute__((packed)) packed { P0, P255 = 255 };
enum shorter { Q0 = -1, Q1 = 300 } __attribute__((packed));
struct fields { enum plain two : 2; enum negative also : 2; };
enum plain global;
int main(void) {
    enum plain plain = __VERIFIER_nondet_int();
    enum negative negative = __VERIFIER_nondet_int();
    enum big big = HUGE_ONE;
    enum mixed mixed = MOST;
    enum large large = WIDE;
    enum packed packed = __VERIFIER_nondet_int();
    enum shorter shorter = __VERIFIER_nondet_int();
    struct fields fields = {3, 3};
    printf("%lld\n", (long long) plain);
    printf("%lld\n", (long long) (plain - 3 > 0));
    printf("%lld\n", (long long) (plain > -1));
    printf("%lld\n", (long long) negative);
    printf("%lld\n", (long long) (negative - 3 > 0));
    printf("%lld\n", (long long) (ONE - 2 < 0));
    printf("%lld\n", (long long) (big + big));
    printf("%lld\n", (long long) (HUGE_ONE > -1));
    printf("%lld\n", (long long) (SMALL_ONE > -1));
    printf("%lld\n", (long long) (mixed + 1));
    printf("%lld\n", (long long) (MOST + 1));
    printf("%lld\n", (long long) (large > -1));
    printf("%lld\n", (long long) (NARROW > -1));
    printf("%lld\n", (long long) packed);
    printf("%lld\n", (long long) (packed - 300 < 0));
    printf("%lld\n", (long long) shorter);
    printf("%lld\n", (long long) (fields.two * 10 + fields.also));
    printf("%lld\n", (long long) (sizeof(enum packed) + 10 * sizeof shorter + 100 * sizeof large + 1000 * sizeof plain));
    global = ABOVE;
    global--;
    printf("%lld\n", (long long) global);
    switch (plain) {
    case -1: printf("%lld\n", (long long) 1); break;
    case TWO: printf("%lld\n", (long long) 2); break;
    default: printf("%lld\n", (long long) 3);
    }
    return 0;
}
