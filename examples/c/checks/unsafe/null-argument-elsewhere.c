// check: null
// finds: 5: a pointer that points to nothing is followed
extern int external(int, const char *, int) __attribute__((nonnull(2)));

int main(void) { return external(0, 0, 0); }
