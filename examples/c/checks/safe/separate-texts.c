// check: overlap
char *strcpy(char *, const char *);
char *strcat(char *, const char *);
char *strncpy(char *, const char *, unsigned long);
int sprintf(char *, const char *, ...);

int main(void) {
    char text[16] = "abcd", other[16];
    strcpy(text + 5, text);
    strncpy(text + 10, text, 3);
    strcpy(other, text);
    strcat(other, text + 5);
    sprintf(other, "%s%d", text, 5);
    return 0;
}
