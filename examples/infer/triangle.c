/* A triangle of n rows, built row by row, and how many stones that takes. */
extern int read_number(void);

int main(void) {
    int n = read_number();
    int row = 0, stones = 0;
    if (n < 0)
        return 1;
    while (row < n) { /* [L] */
        row++;
        stones += row;
    }
    return 0;
}
