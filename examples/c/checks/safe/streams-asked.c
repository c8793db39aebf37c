// check: undefined
typedef struct stream FILE;
extern FILE *stdin, *stdout;
int setvbuf(FILE *, char *, int, unsigned long);
void setbuf(FILE *, char *);
int feof(FILE *);
int ferror(FILE *);
void clearerr(FILE *);
int fileno(FILE *);

int main(void) {
    int count = 0;
    setvbuf(stdout, 0, 2, 0);
    setbuf(stdin, 0);
    while (count < 10 && !feof(stdin) && !ferror(stdin)) count++;
    clearerr(stdin);
    return fileno(stdin) > count;
}
