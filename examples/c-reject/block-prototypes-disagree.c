int second(void);

int first(void) {
    int sum(int one);
    return sum(1);
}

int second(void) {
    int sum(int one, int other);
    return sum(1, 2);
}

int main(void) {
    return first() + second();
}
