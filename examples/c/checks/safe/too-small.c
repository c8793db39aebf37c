// check: memory
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);

int main(void) {
    int n = __VERIFIER_nondet_int() ? 13 : 12;
    int *p = malloc(n);
    if (p) p[2] = 1;
    return 0;
}
