// check: pointer-arithmetic
int __VERIFIER_nondet_int(void);

int main(void) {
    int a[4], *p = a, sum = 0;
    if (__VERIFIER_nondet_int()) p = p + 4;
    return p == a + 4;
}
