// check: calls
// finds: 5: a function is called as another type than its own
int is_negative();
int main(void) {
    return is_negative(-1);
}
int is_negative(long number) { return number < 0; }
// Not noticed when compiled: the lower half is passed, and nobody looks at the types.
