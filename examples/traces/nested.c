/* Seed 000, Fig. 1: the outer loop is unrolled twice, and the inner one is compressed in each of these iterations.
 * clausal compress --arith ideal --input i=0 --target 'y >= 0' examples/traces/nested.c */
int main(void) {
    int i, j, k, x, y;
    i = 0;
    while (i < 10) {
        x = 0;
        j = i;
        while (j < 10) {
            if (j >= 1)
                x = 1;
            else
                x = -1;
            j = j + 1;
        }
        i = i + 1;
    }
    y = 0;
    k = 0;
    while (k < 10) {
        y = y + x;
        k = k + 1;
    }
    return 0;
}
