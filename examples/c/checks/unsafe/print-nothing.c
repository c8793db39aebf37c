// check: null
// finds: 7: a pointer that points to nothing is followed
int puts(const char *text);

int main(void) {
    const char *text = 0;
    return puts(text) < 0;
}
