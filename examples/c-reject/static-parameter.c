int twice(static int x) {
    return 2 * x;
}

int main(void) {
    return twice(1);
}
