// check: memory
// finds: 7: a string literal is written
int __VERIFIER_nondet_int(void);

int main(void) {
    char a[2] = "a", *s = __VERIFIER_nondet_int() ? a : "b";
    s[0] = 'x';
    return 0;
}
