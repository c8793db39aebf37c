struct unknown;
struct unknown make(void);

int main(void) {
    make();
    return 0;
}
