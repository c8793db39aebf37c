// check: memory
// finds: 8: `x` is used after its block or function was left
// Not noticed when compiled: `x` has the address that it had before.
int main(void) {
    int *p = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
        if (p) return *p;
        p = &x;
    }
    return 0;
}
