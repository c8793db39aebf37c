// check: null
// finds: 9: a pointer that points to nothing is followed
typedef unsigned long size_t;
char *strncpy(char *, const char *, size_t);
int __VERIFIER_nondet_int(void);

int main(void) {
    char a[4] = {0}, *name = __VERIFIER_nondet_int() == 3 ? 0 : a;
    strncpy(a, name, *a);
    return 0;
}
