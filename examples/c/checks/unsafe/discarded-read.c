// check: null
// finds: 9: a pointer that points to nothing is followed
// Not noticed when compiled: gcc leaves the read out.
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 1;
    int *p = __VERIFIER_nondet_int() ? &x : 0;
    *p;
    return 0;
}
