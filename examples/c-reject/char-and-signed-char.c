char letter = 'a';

int main(void) {
    extern signed char letter;
    return letter;
}
