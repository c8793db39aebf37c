// check: null
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = 1;
    int *p = __VERIFIER_nondet_int() ? &x : 0;
    p ? (void)*p : (void)0;
    return 0;
}
