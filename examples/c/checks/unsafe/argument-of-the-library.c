// check: bounds
// finds: 14: index 10 is outside of `table`, which has 10 elements
// How many bytes there are is a library's affair; the number that it is handed is evaluated here.
long read(int file, void *to, unsigned long most);
int dprintf(int file, const char *format, ...);

static int table[10];

int main(void) {
    char text[4];
    int last = 9;
    read(table[last], text, sizeof text);
    last++;
    dprintf(table[last], "%d", 1);
    return 0;
}
