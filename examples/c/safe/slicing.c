// The sums have no influence on the error: nothing is left of them, nor of the loop that computes the second one.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    double average = 0.5;
    unsigned total = 0;
    int i;
    for (i = 0; i < 100; i++)
        total += i * n;
    int open = 0;
    while (__VERIFIER_nondet_int()) {
        average = average / 2;
        if (open)
            open = 0;
        else
            open = 1;
    }
    if (open != 0 && open != 1)
        reach_error();
    return total > 7;
}
