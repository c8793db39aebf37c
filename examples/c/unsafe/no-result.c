/* A function that may end without a result, which is used all the same: whatever is returned then may be the error. */
extern int unknown(void);
void reach_error(void);

int *found(int *where, int wanted) {
    if (*where == wanted) {
        return where;
    }
}

int size(int kind) {
    if (kind == 1) return 4;
    if (kind > 1) return;
    return 8;
}

int main(void) {
    int value = unknown();
    int *there = found(&value, 5);
    if (there != 0 && value != 5 && size(value) == 17) {
        reach_error();
    }
    return 0;
}
