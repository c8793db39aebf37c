// check: uninitialized
struct tagged { int tag; union { int i; float f; } u; };

int main(void) {
    struct tagged one;
    one.tag = 1;
    one.u.i = 3;
    struct tagged other = one;
    return other.tag == 1 ? other.u.i : 0;
}
