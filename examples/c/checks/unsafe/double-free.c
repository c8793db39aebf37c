// check: memory
// finds: 11: memory is freed twice
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);

int main(void) {
    int *p = malloc(sizeof(int)), *q = p;
    if (!p) return 0;
    free(p);
    free(q);
    return 0;
}
