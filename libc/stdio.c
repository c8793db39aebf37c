/* What a format makes of its arguments: characters from a place on, as long as there is room; the place behind them. */

static size_t __clausal_put(char *target, size_t room, size_t at, int c)
{
    if (at < room)
        target[at] = (char)c;
    return at + 1;
}

static size_t __clausal_put_number(char *target, size_t room, size_t at, unsigned long long number, int sign,
                                   unsigned base, int letter, int fill, int width, int least)
{
    char digits[24];
    int n = 0, total;
    while (number != 0) {
        unsigned digit = (unsigned)(number % base);
        digits[n] = (char)(digit < 10 ? '0' + digit : letter + digit - 10);
        n++;
        number /= base;
    }
    total = n < least ? least : n;
    if (sign != 0)
        total++;
    while (fill == ' ' && total < width) {
        at = __clausal_put(target, room, at, ' ');
        width--;
    }
    if (sign != 0)
        at = __clausal_put(target, room, at, sign);
    while (fill == '0' && total < width) {
        at = __clausal_put(target, room, at, '0');
        width--;
    }
    while (n < least) {
        at = __clausal_put(target, room, at, '0');
        least--;
    }
    while (n > 0) {
        n--;
        at = __clausal_put(target, room, at, digits[n]);
    }
    while (fill == '-' && total < width) {
        at = __clausal_put(target, room, at, ' ');
        width--;
    }
    return at;
}

static size_t __clausal_put_signed(char *target, size_t room, size_t at, long long number, int plus, int fill, int width,
                                   int least)
{
    unsigned long long size = (unsigned long long)number;
    if (number < 0)
        return __clausal_put_number(target, room, at, 0 - size, '-', 10, 'a', fill, width, least);
    return __clausal_put_number(target, room, at, size, plus, 10, 'a', fill, width, least);
}

static size_t __clausal_put_text(char *target, size_t room, size_t at, const char *text, size_t most, int fill, int width)
{
    size_t n = 0, i = 0;
    int total;
    while (n < most && text[n] != 0)
        n++;
    total = (int)n;
    while (fill != '-' && total < width) {
        at = __clausal_put(target, room, at, ' ');
        width--;
    }
    while (i < n) {
        at = __clausal_put(target, room, at, text[i]);
        i++;
    }
    while (fill == '-' && total < width) {
        at = __clausal_put(target, room, at, ' ');
        width--;
    }
    return at;
}

static size_t __clausal_put_character(char *target, size_t room, size_t at, int c, int fill, int width)
{
    while (fill != '-' && width > 1) {
        at = __clausal_put(target, room, at, ' ');
        width--;
    }
    at = __clausal_put(target, room, at, c);
    while (fill == '-' && width > 1) {
        at = __clausal_put(target, room, at, ' ');
        width--;
    }
    return at;
}

static void __clausal_put_end(char *target, size_t size, size_t at)
{
    if (size > 0)
        target[at < size - 1 ? at : size - 1] = 0;
}

char *fgets(char *target, int size, void *stream)
{
    int n = 0;
    if (size <= 0)
        return 0;
    while (n < size - 1) {
        int c;
        __VERIFIER_assume(c >= -1 && c <= 255);
        if (c == -1) {
            int is_failure;
            if (n == 0 || is_failure != 0)
                return 0;
            break;
        }
        target[n] = (char)c;
        n++;
        if (c == '\n')
            break;
    }
    target[n] = 0;
    return target;
}
