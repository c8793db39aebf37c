struct unknown;
extern struct unknown thing;

int main(void) {
    (void)thing;
    return 0;
}
