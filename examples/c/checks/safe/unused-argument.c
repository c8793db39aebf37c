// check: div-by-zero
int __VERIFIER_nondet_int(void);

int f() {
    return 1;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    return x ? f(3 % x) : 0;
}
