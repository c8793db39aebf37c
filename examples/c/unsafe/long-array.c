/* An array as long as an input says. The error needs a long one, but not one that no stack holds. */
extern unsigned int unknown(void);
void reach_error(void);

int main(void) {
    unsigned int size = unknown() / 2 + 1;
    int cells[size];
    unsigned int i = 0;
    cells[size / 2] = 3;
    while (i < size && cells[i] != 3) {
        i++;
        if (i == 20) i = -1;
    }
    if (i >= size) reach_error();
    return 0;
}
