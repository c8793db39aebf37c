// check: memory
void *memset(void *, int, unsigned long);

struct pair {
    int a, b;
};

int main(void) {
    struct pair s;
    memset(&s, 0, sizeof(s));
    return s.b;
}
