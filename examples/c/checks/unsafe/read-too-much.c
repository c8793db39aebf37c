// check: bounds
// finds: 8: 10 bytes are accessed in `text`, which has 4
// Not noticed when compiled.
long read(int, void *, unsigned long);

int main(void) {
    char text[4];
    read(0, text, 10);
    return 0;
}
