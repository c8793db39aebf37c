// check: pointer-arithmetic
// finds: 8: pointers into different objects are compared or subtracted
// Not noticed when compiled.
int a[3], b[3];

int main(void) {
    int *p = a, *q = b;
    if (p < q)
        return 1;
    return 0;
}
