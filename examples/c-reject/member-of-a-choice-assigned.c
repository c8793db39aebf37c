struct pair {
    int left, right;
};

int main(void) {
    struct pair one = {1, 2}, other = {3, 4};
    (1 ? one : other).left = 0;
    return one.left;
}
