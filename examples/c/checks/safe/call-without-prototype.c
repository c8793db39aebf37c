// check: calls
int is_negative();
int main(void) {
    return is_negative(-1L);
}
int is_negative(long number) { return number < 0; }
