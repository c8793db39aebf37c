// check: null
typedef unsigned long size_t;
int strncmp(const char *, const char *, size_t);
char *strncpy(char *, const char *, size_t);
void *memchr(const void *, int, size_t);
int __VERIFIER_nondet_int(void);

int main(void) {
    const char *name = __VERIFIER_nondet_int() == 3 ? 0 : "name";
    char copy[4];
    strncpy(copy, "", 0);
    if (name && memchr(name, 'x', 0) != 0)
        name = 0;
    return name ? strncmp("n", name, 0) : 1;
}
