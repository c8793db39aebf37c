// The right side of && and || is evaluated only if it matters: the division is never by zero.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int quick = b != 0 && a / b == 3;
    int larger = a > b ? a : b;
    if (quick && (b == 0 || larger == 21))
        reach_error();
    return 0;
}
