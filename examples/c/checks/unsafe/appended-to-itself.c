// check: overlap
// finds: 6: memory that overlaps is copied
char *strcat(char *, const char *);

int main(void) {
    char text[12] = "abcd"; strcat(text, text + 1);
    return 0;
}
