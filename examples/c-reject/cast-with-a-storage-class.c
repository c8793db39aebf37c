int main(void) {
    return (static int)10;
}
