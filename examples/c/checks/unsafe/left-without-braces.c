// check: memory
// finds: 8: `literal2` is used after its block or function was left
int __VERIFIER_nondet_int(void);

int main(void) {
    int *p = 0;
    if (__VERIFIER_nondet_int()) p = (int[]){5}; else return 0;
    return *p;
}
