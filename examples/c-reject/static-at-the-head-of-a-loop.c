int main(void) {
    for (static int i = 0; i < 3; i++) {
    }
    return 0;
}
