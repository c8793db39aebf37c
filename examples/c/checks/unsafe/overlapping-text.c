// check: overlap
// finds: 9: memory that overlaps is copied
int __VERIFIER_nondet_int(void);
char *strcpy(char *, const char *);

int main(void) {
    char text[12] = "abcd";
    int n = __VERIFIER_nondet_int();
    if (n >= 1 && n <= 7) strcpy(text + n, text);
    return 0;
}
