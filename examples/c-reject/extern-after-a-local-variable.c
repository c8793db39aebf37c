int count;

int main(void) {
    int count = 1;
    extern int count;
    return count;
}
