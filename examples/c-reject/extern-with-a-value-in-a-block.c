int main(void) {
    extern int count = 1;
    return count;
}
