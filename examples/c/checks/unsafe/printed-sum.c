// check: overflow
// finds: 8: a signed operation overflows: 2147483648 is no value of its type, whose values are -2147483648 to 2147483647
int printf(const char *, ...);

int main(void) {
    int x = 2147483647;
    int y = 0;
    printf("%d\n", x + 1);
    return y;
}
