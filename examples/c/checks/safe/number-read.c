// check: uninitialized
int scanf(const char *, ...);
int main(void) {
    int m = 1, n;
    scanf("%d", &m);
    if (scanf("%d", &n) != 1)
        return m;
    return n;
}
