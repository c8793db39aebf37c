/* Seed 000, section II, for_bounded_loop1: the first iteration is unlike the others, so the loop is unrolled once.
 * clausal compress --arith ideal --input y=5 --target 'x != 0 && err != 1' examples/traces/read-again.c */
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

int main(void) {
    int x, y, err, i;
    x = 0;
    y = 0;
    err = 0;
    for (i = 0; i < 10; i++) {
        x = x - y;
        if (x != 0)
            err = 1;
        y = __VERIFIER_nondet_int();
        __VERIFIER_assume(y != 0);
        x = x + y;
        if (x == 0)
            err = 1;
    }
    return 0;
}
