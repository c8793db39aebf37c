// check: undefined
void qsort(void *, unsigned long, unsigned long, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, unsigned long, unsigned long, int (*)(const void *, const void *));

struct pair { int key, value; };

static int compare(const void *a, const void *b) {
    int one = ((const struct pair *)a)->key, other = ((const struct pair *)b)->key;
    return (one > other) - (one < other);
}

int main(void) {
    struct pair pairs[3] = { { 3, 1 }, { 1, 2 }, { 2, 3 } }, wanted = { 2, 0 };
    qsort(pairs, 3, sizeof pairs[0], compare);
    struct pair *found = bsearch(&wanted, pairs, 3, sizeof pairs[0], compare);
    return found ? found->value : 0;
}
