int twice(int x) = 2;

int main(void) {
    return twice(1);
}
