// check: pointer-arithmetic
// finds: 8: a pointer is moved by -1 and leaves `a`
// Not noticed when compiled: nothing is accessed there.
int __VERIFIER_nondet_int(void);

int main(void) {
    int a[4], *p = a, sum = 0;
    if (__VERIFIER_nondet_int()) p = p - 1;
    return sum;
}
