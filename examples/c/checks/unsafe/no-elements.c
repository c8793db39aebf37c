// check: memory
// finds: 7: an array is declared with 0 elements
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 3) return 0;
    char a[n];
    return sizeof(a) == 2;
}
