// check: calls
int __VERIFIER_nondet_int(void);

double half(double number) { return number / 2; }
int twice(int number) { return number % 1000 * 2; }

int main(void) {
    int positive = __VERIFIER_nondet_int() > 5;
    int (*change)(int) = positive ? (int (*)(int))half : twice;
    if (positive)
        ((double (*)(double))change)(4);
    else
        change(4);
    return 0;
}
