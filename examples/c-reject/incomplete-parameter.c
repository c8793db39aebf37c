int first(struct unknown u) {
    return 1;
}

int main(void) {
    return 0;
}
