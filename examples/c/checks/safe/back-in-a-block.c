// check: undefined
int main(void) {
    int *p = 0, turns = 0, result = 0;
again:;
    int x;
    int *q = (int[]){ turns, 4 };
    if (p) {
        *p = 3;
        result = 10 / (p == &x) + q[1];
    }
    p = &x;
    if (turns++ < 2)
        goto again;
    return result;
}
