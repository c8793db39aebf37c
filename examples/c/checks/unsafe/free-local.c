// check: memory
// finds: 9: what is freed is not the start of allocated memory
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);

int main(void) {
    int x = 1, *p = __VERIFIER_nondet_int() ? &x : malloc(sizeof(int));
    free(p);
    return 0;
}
