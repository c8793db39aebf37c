/* A table is read between its entries: a value between the first and the last one. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

static const double table[5] = {0.0, 0.5, 0.75, 1.5, 4.0};

int main(void)
{
    double x = __VERIFIER_nondet_double(), part, value;
    int index;
    if (!(x >= 0.0 && x < 4.0))
        return 0;
    index = (int)x;
    part = x - index;
    value = table[index] + part * (table[index + 1] - table[index]);
    if (!(value >= 0.0 && value <= 4.0))
        reach_error();
    return 0;
}
