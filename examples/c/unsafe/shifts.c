// The fifth bit of what is read, moved down, is one for some input.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned word = __VERIFIER_nondet_uint();
    unsigned distance = __VERIFIER_nondet_uint();
    if (distance < 3 || distance > 4)
        return 0;
    if (((word >> distance) & 3) == 2 && (word << 28) == 0)
        reach_error();
    return 0;
}
