// check: div-by-zero
// finds: 7: a division by zero
void elsewhere(int x);

int main(void) {
    int zero = 0;
    elsewhere(1 / zero);
    return 0;
}
