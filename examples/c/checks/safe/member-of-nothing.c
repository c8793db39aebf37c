// check: pointer-arithmetic
int __VERIFIER_nondet_int(void);
struct pair { int first, second; };

int main(void) {
    struct pair one = {1, 2}, *pair = __VERIFIER_nondet_int() ? &one : 0;
    int *second = pair ? &pair->second : 0;
    unsigned long offset = (unsigned long)&((struct pair *)0)->second;
    return second == &one.first || offset != 4;
}
