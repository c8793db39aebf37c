struct s;

int main(void) {
    int x = 1;
    (struct s)x;
    return 0;
}
