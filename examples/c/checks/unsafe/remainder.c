// check: overflow
// finds: 8: a signed operation overflows: -2147483648 divided by -1 is no value of its type
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x < -2147483647 ? -1 : 3;
    return x % y;
}
