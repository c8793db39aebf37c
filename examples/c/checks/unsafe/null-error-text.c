// check: null
// finds: 7: a pointer that points to nothing is followed
int __VERIFIER_nondet_int(void);
void perror(const char *);
int main(void) {
    const char *text = __VERIFIER_nondet_int() ? "text" : 0;
    perror(text + 2);
    return 0;
}
