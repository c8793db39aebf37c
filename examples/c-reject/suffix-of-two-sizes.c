int main(void) {
    return 1lL == 1;
}
