int main(void) {
    int x[2.0];
    return 0;
}
