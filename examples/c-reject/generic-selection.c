int main(void) { return _Generic(1L, long: 1, default: 2); }
