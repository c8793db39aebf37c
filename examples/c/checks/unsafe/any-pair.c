// check: overflow
// finds: 7: a signed operation overflows: -4000000000 is no value of its type, whose values are -2147483648 to 2147483647
typedef unsigned long size_t;
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));

int order(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    int a[3] = {-2000000000, 0, 2000000000};
    qsort(a, 3, sizeof a[0], order);
    return 0;
}
// Not noticed when compiled: this sort does not compare the first with the last.
