/* Seed 000, section I: j is at least n however often the loop is executed.
 * clausal compress --arith ideal --input n=100 --target 'j >= n' examples/traces/two-counters.c */
int __VERIFIER_nondet_int(void);

int main(void) {
    int n, i, j;
    n = __VERIFIER_nondet_int();
    i = 0;
    j = 0;
    while (i != n) {
        i = i + 1;
        j = j + 2;
    }
    return 0;
}
