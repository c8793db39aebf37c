int main(void) {
    int x = 1;
    if (x)
        int y = 2;
    return x;
}
