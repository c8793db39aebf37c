// check: memory
int memcmp(const void *, const void *, unsigned long);

int main(void) {
    char a[9] = "abcdefgh", b[4] = "efg";

    return memcmp(a + 4, b, 3) || memcmp(a + 4, "efgh", 5);
}
