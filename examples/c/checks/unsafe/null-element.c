// check: null
// finds: 8: a pointer that points to nothing is followed
int __VERIFIER_nondet_int(void);

int main(void) {
    int a[4] = {0};
    int *p = __VERIFIER_nondet_int() ? a : 0;
    return p[1];
}
