// check: null
// finds: 6: a pointer that points to nothing is followed
int __VERIFIER_nondet_int(void);

__attribute__((returns_nonnull)) static int *found(int *p) {
    return p;
}

int main(void) {
    int x = 3;
    return found(__VERIFIER_nondet_int() ? &x : 0) == &x;
}
