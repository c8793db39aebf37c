// check: memory
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
    if (__VERIFIER_nondet_int()) {
        free(p);
        return 1;
    }
    return p->value;
}
