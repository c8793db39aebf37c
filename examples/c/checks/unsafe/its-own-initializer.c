// check: uninitialized
// finds: 7: `x` is read before it has a value
// Not noticed when compiled.
int __VERIFIER_nondet_int(void);
int main(void) {
    int y = 1;
    int x = __VERIFIER_nondet_int() ? x + y : y;
    return x;
}
