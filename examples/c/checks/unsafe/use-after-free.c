// check: memory
// finds: 18: the allocated memory is used after it was freed
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
void free(void *);

struct node {
    struct node *next;
    int value;
};

int main(void) {
    struct node *p = malloc(sizeof(struct node));
    if (!p) return 0;
    p->value = 1;
    if (__VERIFIER_nondet_int())
        free(p);
    return p->value;
}
