// check: undefined
typedef struct stream FILE;
extern FILE *stdout;
int printf(const char *, ...);
int puts(const char *);
int fputs(const char *, FILE *);
void perror(const char *);

static void say(const char *text) { puts(text); }

int main(void) {
    char name[4];
    const char *way[2] = { "first", "second" };
    name[0] = 'a';
    name[1] = 'b';
    name[2] = 0;
    say(name);
    say(way[1]);
    printf("%5s is said, with sums: %p %d %f\n", name, (void *)name, name[0], 1.0);
    fputs(name, stdout);
    perror(0);
    return 0;
}
