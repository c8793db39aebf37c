// check: memory
// finds: 9: what is freed is not the start of allocated memory
void *malloc(unsigned long);
void free(void *);

int main(void) {
    int *p = malloc(10 * sizeof(int));
    if (!p) return 0;
    free(p + 1);
    return 0;
}
