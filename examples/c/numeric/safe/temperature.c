/* Fahrenheit from Celsius, and back with an error that is small. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double celsius = __VERIFIER_nondet_double(), fahrenheit, back;
    if (!(celsius >= -300.0 && celsius <= 1000.0))
        return 0;
    fahrenheit = celsius * 1.8 + 32.0;
    back = (fahrenheit - 32.0) / 1.8;
    if (!(back >= -300.5 && back <= 1000.5))
        reach_error();
    return 0;
}
