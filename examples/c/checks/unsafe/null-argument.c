// check: null
// finds: 9: a pointer that points to nothing is followed
int __VERIFIER_nondet_int(void);

static int first(const int *p, const int *q) __attribute__((nonnull(2)));

int main(void) {
    int x = 3, *p = __VERIFIER_nondet_int() ? &x : 0;
    return first(0, &x) + first(&x, p);
}

static int first(const int *p, const int *q) { return p == q; }
