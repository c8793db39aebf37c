int one(void) {
    return 1;
}

int main(void) {
    static int count = one();
    return count;
}
