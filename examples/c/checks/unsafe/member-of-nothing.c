// check: pointer-arithmetic
// finds: 8: the address of a member is taken of what a null pointer points to
int __VERIFIER_nondet_int(void);
struct pair { int first, second; };

int main(void) {
    struct pair one = {1, 2}, *pair = __VERIFIER_nondet_int() ? &one : 0;
    int *second = &pair->second;
    return second == &one.first;
}
