// check: overlap
// finds: 9: memory that overlaps is copied
int __VERIFIER_nondet_int(void);
void *memcpy(void *, const void *, unsigned long);

int main(void) {
    int a[8] = {0}, n = __VERIFIER_nondet_int();
    if (n >= 1 && n <= 4)
        memcpy(a, a + n, 4 * sizeof(int));
    return 0;
}
// Not noticed when compiled: the compiler copies so few bytes by itself.
