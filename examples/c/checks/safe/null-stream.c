// check: null
typedef struct _IO_FILE FILE;
extern FILE *stdout;
FILE *fopen(const char *, const char *);
int fputs(const char *, FILE *), fflush(FILE *);
int main(void) {
    FILE *file = fopen("/no/such/folder/file", "r");
    if (file)
        fputs("text", file);
    fputs("text", stdout);
    fflush(0);
    return 0;
}
