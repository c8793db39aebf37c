// check: null
int __VERIFIER_nondet_int(void);
int puts(const char *);
void perror(const char *);

int main(void) {
    int a[4] = {0};
    int *p = __VERIFIER_nondet_int() ? a : 0;
    const char *text = __VERIFIER_nondet_int() ? "text" : 0;
    perror(text);
    if (text) puts(text + 2);
    return p ? p[1] : 0;
}
