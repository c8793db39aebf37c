// check: shifts
// finds: 8: a shift by 32 of a number with 32 bits
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 32) return 0;
    unsigned y = 1u << x;
    return y > 0;
}
