// check: unreachable
// finds: 7: what is said not to be reached is reached
int __VERIFIER_nondet_int(void);

int main(void) {
    if (__VERIFIER_nondet_int() == 3)
        __builtin_unreachable();
    return 0;
}
