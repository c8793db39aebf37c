// check: memory
// finds: 5: `x` is used after its block or function was left
int main(void) {
    int *p = 0, n = 0;
again: if (n) return *p;
    {
        int x = 1;
        p = &x;
        n = *p;
        goto again;
    }
}
