int main(void) {
    return (int(void))0;
}
