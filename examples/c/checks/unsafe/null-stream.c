// check: null
// finds: 8: a pointer that points to nothing is followed
typedef struct _IO_FILE FILE;
FILE *fopen(const char *, const char *);
int fputs(const char *, FILE *);
int main(void) {
    FILE *file = fopen("/no/such/folder/file", "r");
    fputs("text", file);
    return 0;
}
