// check: null
extern int external(int, const char *, const char *) __attribute__((nonnull(2)));
__attribute__((nonnull)) static int first(const int *p, int n) {
    return n < 1 ? 0 : *p;
}

int main(void) {
    int x = 3;
    return external(0, "a", 0) + first(&x, 0);
}
