// check: memory
// finds: 10: 9 bytes are accessed in `b`, which has 8
int __VERIFIER_nondet_int(void);
void *memcpy(void *, const void *, unsigned long);

int main(void) {
    char a[16], b[8] = {0};
    int n = __VERIFIER_nondet_int() ? 9 : 8;
    if (n == 9)
        memcpy(a, b, 9);
    return 0;
}
