// check: undefined
// finds: 9: `x` is used after its block or function was left
// Not noticed when compiled.
int main(void) {
    int *p = 0;
again:
    {
        int x = 1;
        if (p) *p = 3;
        if (!p) {
            p = &x;
            goto again;
        }
    }
    return 0;
}
