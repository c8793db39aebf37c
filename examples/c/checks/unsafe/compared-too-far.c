// check: bounds
// finds: 10: 8 bytes are accessed in `a`, which has 4
// All bytes have to be there, wherever the first difference is.
// Not noticed when compiled.
int memcmp(const void *, const void *, unsigned long);

int main(void) {
    char a[4] = "abc", b[8] = "xbc";

    return memcmp(a, b, 8) > 0;
}
