// check: memory
int *f(int *x) {
    int *p = x;
    return p;
}

int main(void) {
    int x = 2;
    return *f(&x);
}
