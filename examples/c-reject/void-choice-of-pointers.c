int main(void) {
    int numbers[3] = {1, 2, 3};
    void *anything = numbers;
    int *second = numbers + 1;
    return (numbers[0] ? second : anything)[1];
}
