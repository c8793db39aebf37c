// check: uninitialized
struct pair { int a, b; };

int main(void) {
    struct pair s, t;
    s.a = 1;
    t = s;
    t.b = 2;
    return t.a + t.b;
}
