// check: undefined
// finds: 7: the negative number -1 is shifted to the left
int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int() ? -1 : 1;
    x << 1;
    return 0;
}
