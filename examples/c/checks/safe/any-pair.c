// check: overflow
typedef unsigned long size_t;
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));

int order(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int a[3] = {-2000000000, 0, 2000000000};
    qsort(a, 3, sizeof a[0], order);
    return 0;
}
