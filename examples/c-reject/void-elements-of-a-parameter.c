int count(void things[3]) {
    return 3;
}

int main(void) {
    return 0;
}
