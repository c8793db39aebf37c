int main(void) {
    unsigned int text[4] = "abc";
    return text[0];
}
