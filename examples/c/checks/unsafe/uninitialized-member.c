// check: uninitialized
// finds: 10: `t.b` is read before it has a value
// Not noticed when compiled.
struct pair { int a, b; };

int main(void) {
    struct pair s, t;
    s.a = 1;
    t = s;
    return t.a + t.b;
}
