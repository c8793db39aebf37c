void reach_error(void);
void *memcpy(void *, const void *, unsigned long);

struct pair {
    int first, second;
} to[2], from[2] = {{1, 2}, {3, 4}};

int main(void) {
    memcpy(to, from, sizeof from - sizeof(int));
    if (to[1].first == 3)
        reach_error();
    return 0;
}
