// check: uninitialized
// finds: 8: `x` is read before it has a value
// Not noticed when compiled.
int __VERIFIER_nondet_int(void);
int main(void) {
    int x;
    if (__VERIFIER_nondet_int()) x = 1;
    return x;
}
