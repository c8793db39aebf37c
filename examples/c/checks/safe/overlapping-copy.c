// check: overlap
int __VERIFIER_nondet_int(void);
void *memcpy(void *, const void *, unsigned long);

int main(void) {
    int a[8] = {0}, n = __VERIFIER_nondet_int();
    if (n >= 4 && n <= 4)
        memcpy(a, a + n, 4 * sizeof(int));
    return 0;
}
