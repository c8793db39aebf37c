// check: memory
void *malloc(unsigned long);
void free(void *);

int main(void) {
    int *p = malloc(10 * sizeof(int));
    if (!p) return 0;
    int *q = p + 1;
    free(q - 1);
    return 0;
}
