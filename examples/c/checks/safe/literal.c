// check: memory
int __VERIFIER_nondet_int(void);

int main(void) {
    char a[2] = "a", *s = __VERIFIER_nondet_int() ? a : "b";
    if (s == a) s[0] = 'x';
    return s[0];
}
