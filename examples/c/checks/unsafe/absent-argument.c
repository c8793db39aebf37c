// check: uninitialized
// finds: 8: a variable is read that has no value
// Not noticed when compiled.
static int second(int count, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, count);
    int value = __builtin_va_arg(list, int);
    value = __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return value;
}

int main(void) { return second(1, 2); }
