int main(void) {
    return later();
}

static int later(void) {
    return 0;
}
