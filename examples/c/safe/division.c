// C rounds towards zero: quotient and remainder have the signs that belong to them.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int quotient = x / 4;
    int rest = x % 4;
    if (rest <= -4 || rest >= 4)
        reach_error();
    if (x < 0 && rest > 0)
        reach_error();
    if (4 * quotient + rest != x)
        reach_error();
    return 0;
}
