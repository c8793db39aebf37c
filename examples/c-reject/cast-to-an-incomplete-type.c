struct s;

int main(void) {
    int x = 1;
    return ((struct s)x).member;
}
