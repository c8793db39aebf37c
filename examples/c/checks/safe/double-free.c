// check: memory
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);

int main(void) {
    int *p = malloc(sizeof(int)), *q = p;
    free(p);
    q = 0;
    free(q);
    return 0;
}
