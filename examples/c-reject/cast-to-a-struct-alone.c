struct pair {
    int left, right;
};

int main(void) {
    (struct pair)1;
    return 0;
}
