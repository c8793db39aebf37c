/* What a program with unusual constructs is linked with: observed values and the error are written to a file. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void report(const char *format, int number, long long value)
{
    char text[64];
    int length = snprintf(text, sizeof text, format, number, value);
    int file = open("observed", O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(file, text, length) < length)
        _exit(98);
    close(file);
}

void observe(int number, long long value)
{
    report("%d %lld\n", number, value);
}

void reach_error(void)
{
    _exit(99);
}

int __VERIFIER_nondet_int(void)
{
    return 0;
}
