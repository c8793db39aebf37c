// check: memory
int __VERIFIER_nondet_int(void);
void *memcpy(void *, const void *, unsigned long);

int main(void) {
    char a[16], b[8] = {0};
    int n = __VERIFIER_nondet_int() ? 9 : 8;
    if (n == 8)
        memcpy(a, b, 8);
    return 0;
}
