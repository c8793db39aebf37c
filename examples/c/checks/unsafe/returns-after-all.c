// check: unreachable
// finds: 8: what is said not to be reached is reached
int __VERIFIER_nondet_int(void);

_Noreturn void leave(int code) {
    while (code != 1)
        ;
}

int main(void) {
    leave(__VERIFIER_nondet_int());
    return 0;
}
