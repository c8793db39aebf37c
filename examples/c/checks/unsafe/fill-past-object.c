// check: memory
// finds: 11: 9 bytes are accessed in `s`, which has 8
void *memset(void *, int, unsigned long);

struct pair {
    int a, b;
};

int main(void) {
    struct pair s;
    memset(&s, 0, sizeof(s) + 1);
    return 0;
}
