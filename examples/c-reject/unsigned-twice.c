int main(void) {
    unsigned unsigned x = 1;
    return x;
}
