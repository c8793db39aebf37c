int main(void) {
    static int twice(int x);
    return 0;
}
