// check: calls
// finds: 10: a function is called as another type than its own
int __VERIFIER_nondet_int(void);

double half(double number) { return number / 2; }
int twice(int number) { return number % 1000 * 2; }

int main(void) {
    int (*change)(int) = __VERIFIER_nondet_int() > 5 ? (int (*)(int))half : twice;
    change(4);
    return 0;
}
// Not noticed when compiled: a number comes from another register.
