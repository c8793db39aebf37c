// check: pointer-arithmetic
int __VERIFIER_nondet_int(void);

int main(void) {
    int a[4], b[4], *p = __VERIFIER_nondet_int() ? a : b, *end = p + 4;
    for (int i = 0; i < 3; i++) p++;
    return p < end && end - p == 1;
}
