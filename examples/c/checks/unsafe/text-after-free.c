// check: memory
// finds: 13: the allocated memory is used after it was freed
int puts(const char *);
void *malloc(unsigned long);
void free(void *);

int main(void) {
    char *text = malloc(3);
    if (text == 0) return 0;
    text[0] = 'a';
    text[1] = 0;
    free(text);
    puts(text);
    return 0;
}
