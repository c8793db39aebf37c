// check: literals
// finds: 8: `limit` is written, which is `const`
// Not noticed when compiled.
const int limit = 3;

int main(void) {
    int *p = (int *)&limit;
    *p = 4;
    return 0;
}
