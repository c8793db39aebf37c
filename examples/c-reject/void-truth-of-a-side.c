void nothing(void) {
}

int main(void) {
    1 && nothing();
    return 0;
}
