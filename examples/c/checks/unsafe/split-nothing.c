// check: null
// finds: 6: a pointer that points to nothing is followed
char *strtok(char *text, const char *separators);

int main(void) {
    return strtok(0, ",") != 0;
}
