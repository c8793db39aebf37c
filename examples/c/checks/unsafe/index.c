// check: memory
// finds: 9: index 10 is outside of `a`, which has 10 elements
int __VERIFIER_nondet_int(void);

int main(void) {
    int a[10];
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 10) return 0;
    a[i] = 1;
    return 0;
}
