// check: uninitialized
// finds: 8: `n` is read before it has a value
// Not noticed when compiled.
int scanf(const char *, ...);
int main(void) {
    int n;
    scanf("%d", &n);
    return n;
}
