// A union is copied as a whole, and read as what was not written.
extern void reach_error(void);
union number { int whole; char first; };
struct tagged { int tag; union number value; };

static int first(union number n) { return n.first; }

int main(void) {
    union number x = {1}, y;
    struct tagged s = {1, {.whole = 7}}, t;
    y = x;
    t = s;
    if (y.first == 1 && t.value.first == 7 && first(x) == 1)
        reach_error();
    return 0;
}
