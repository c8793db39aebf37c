// check: memory
int __VERIFIER_nondet_int(void);

int f(void) {
    return 3;
}
int main(void) {
    int (*g)(void) = __VERIFIER_nondet_int() ? f : 0;
    return g ? g() : 0;
}
