// check: null
// finds: 9: a pointer that points to nothing is followed
typedef unsigned long size_t;
void *memcpy(void *, const void *, size_t);
int __VERIFIER_nondet_int(void);

int main(void) {
    char a[4] = {0}, *p = __VERIFIER_nondet_int() == 3 ? 0 : a;
    memcpy(p, a, *a);
    return 0;
}
