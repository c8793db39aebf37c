// check: overflow
int printf(const char *, ...);

int main(void) {
    int x = 2147483646;
    printf("%d\n", x + 1);
    return 0;
}
