// check: memory
// finds: 9: index 2 is outside of the allocated memory, which has 2 elements
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);

int main(void) {
    int n = __VERIFIER_nondet_int() ? 12 : 11;
    int *p = malloc(n);
    if (p) p[2] = 1;
    return 0;
}
