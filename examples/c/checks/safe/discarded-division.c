// check: div-by-zero
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x != 0 && (5 / x, 1))
        5 / x;
    return 0;
}
