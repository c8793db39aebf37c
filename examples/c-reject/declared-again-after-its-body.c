int half(unsigned char number) {
    return number / 2;
}

int main(void) {
    return half(2);
}

int half(char number);
