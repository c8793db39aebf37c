// check: uninitialized
int __VERIFIER_nondet_int(void);
int main(void) {
    int x, n = __VERIFIER_nondet_int();
    if (n) x = 1;
    return n ? x : 0;
}
