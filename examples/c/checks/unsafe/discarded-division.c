// check: div-by-zero
// finds: 8: a division by zero
// What is computed for nothing is computed all the same.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    5 / x;
    return 0;
}
