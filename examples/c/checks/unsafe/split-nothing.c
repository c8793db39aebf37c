// check: null
// finds: 7: a pointer that points to nothing is followed
// Not noticed when compiled: the library looks for an earlier text.
char *strtok(char *text, const char *separators);

int main(void) {
    return strtok(0, ",") != 0;
}
