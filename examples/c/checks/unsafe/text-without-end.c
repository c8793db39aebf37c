// check: bounds
// finds: 9: index 4 is outside of `name`, which has 4 elements
int printf(const char *, ...);

int main(void) {
    char name[4] = "abcd";
    int number = 7;
    printf("%d\n", number);
    printf("%s\n", name);
    return 0;
}
