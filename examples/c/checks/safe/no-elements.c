// check: memory
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 3) return 0;
    char a[n];
    return sizeof(a) == 2;
}
