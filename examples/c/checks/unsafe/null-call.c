// check: memory
// finds: 10: a pointer that points to nothing is followed
int __VERIFIER_nondet_int(void);

int f(void) {
    return 3;
}
int main(void) {
    int (*g)(void) = __VERIFIER_nondet_int() ? f : 0;
    return g();
}
