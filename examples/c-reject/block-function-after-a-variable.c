int main(void) {
    int count = 1;
    int count(void);
    return count;
}
