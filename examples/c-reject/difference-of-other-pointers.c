int main(void) {
    long a[2];
    unsigned long *p = 0;
    return a - p;
}
