// check: memory
int main(void) {
    int *p, sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        p = &x;
        sum += *p;
        if (i == 1) continue;
        sum += *p;
    }
    return sum;
}
