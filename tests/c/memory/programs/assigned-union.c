// A union is copied as a whole, and read as what was not written.
extern void reach_error(void);
union number { int whole; unsigned char first; };
union number table[2];

int main(void) {
    union number x;
    x = (union number){3};
    table[1] = x;
    if (table[1].first == 3)
        reach_error();
    return 0;
}
