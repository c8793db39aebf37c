// check: overflow,div-by-zero
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x < -2147483647 ? -2 : -1;
    return x % y;
}
