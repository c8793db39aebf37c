// check: memory
// finds: 9: `x` is used after its block or function was left
int main(void) {
    int *p;
    {
        int x = 3;
        p = &x;
    }
    return *p;
}
