struct unknown;

struct unknown make(void) {
    for (;;) {
    }
}

int main(void) {
    return 0;
}
