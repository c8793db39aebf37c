// check: uninitialized
// finds: 7: `u.s.b` is read before it has a value
// Not noticed when compiled.
int main(void) {
    union { struct { int a, b; } s; long l; } u;
    u.s.a = 1;
    return u.s.b;
}
