// check: null
typedef unsigned long size_t;
typedef long ssize_t;
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
ssize_t __VERIFIER_nondet_long(void);

int main(void) {
    char a[4] = {0}, b[4], *p = 0;
    size_t n = __VERIFIER_nondet_long() == 3 ? 2 : 0;
    memcpy(b, a, n);
    memset(b, 0, 0);
    if (n)
        p = a;
    if (p)
        memcpy(b, p, n);
    return memcmp(a, a, n);
}
