static struct never n;

int main(void) {
    return 0;
}
