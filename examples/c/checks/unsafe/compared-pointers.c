// check: pointer-arithmetic
// finds: 8: pointers into different objects are compared or subtracted
// Not noticed when compiled.
int __VERIFIER_nondet_int(void);

int main(void) {
    int a[4], b[4], *p = __VERIFIER_nondet_int() ? a : b;
    return p < a + 4;
}
