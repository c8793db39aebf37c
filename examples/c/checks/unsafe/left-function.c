// check: memory
// finds: 9: `x` is used after its block or function was left
int *f(void) {
    int x = 2, *p = &x;
    return p;
}

int main(void) {
    return *f();
}
