// check: div-by-zero
// finds: 11: a division by zero
// Nobody reads the argument: the definition has no parameter for it.
int __VERIFIER_nondet_int(void);

int f() {
    return 1;
}

int main(void) {
    return f(3 % __VERIFIER_nondet_int());
}
