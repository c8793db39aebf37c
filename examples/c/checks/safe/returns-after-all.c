// check: unreachable
int __VERIFIER_nondet_int(void);

_Noreturn void leave(int code) {
    while (1)
        ;
}

int main(void) {
    leave(__VERIFIER_nondet_int());
    return 0;
}
