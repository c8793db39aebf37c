// check: memory
int main(void) {
    int *p = 0, n = 0;
    {
        int x = 1;
again:
        p = &x;
        if (n) return *p;
        n = *p;
        goto again;
    }
}
