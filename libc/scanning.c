/* What the directives of `scanf` and `sscanf` read. Of a text it is the place behind what is found, or -1 where something else
   is there, or -2 where the text ends before it. */

static int __clausal_scan_space(const char *text, int at)
{
    if (at >= 0) {
        while (text[at] == ' ' || (text[at] >= 9 && text[at] <= 13))
            at++;
    }
    return at;
}

static int __clausal_scan_character(const char *text, int at, int wanted)
{
    if (at < 0)
        return at;
    if (text[at] == 0)
        return -2;
    if (text[at] != (char)wanted)
        return -1;
    return at + 1;
}

static int __clausal_scan_any(const char *text, int at, int width)
{
    if (at < 0)
        return at;
    if (text[at] == 0)
        return -2;
    return at + 1;
}

static int __clausal_scan_word(const char *text, int at, int width)
{
    int begin = at;
    if (at < 0)
        return at;
    if (text[at] == 0)
        return -2;
    while (at - begin < width && text[at] != 0 && text[at] != ' ' && (text[at] < 9 || text[at] > 13))
        at++;
    return at;
}

static int __clausal_scan_number(const char *text, int at, int width)
{
    int begin = at, digits = 0;
    if (at < 0)
        return at;
    if (text[at] == 0)
        return -2;
    if (text[at] == '-' || text[at] == '+')
        at++;
    while (at - begin < width && text[at] >= '0' && text[at] <= '9') {
        at++;
        digits++;
    }
    return digits > 0 ? at : -1;
}

/* What has more digits than any number may be anything: C leaves that open. */
static unsigned long long __clausal_scanned_number(const char *text, int begin, int end)
{
    unsigned long long number = 0;
    int at = begin;
    if (text[begin] == '-' || text[begin] == '+')
        at++;
    if (end - at > 18) {
        unsigned long long any;
        return any;
    }
    while (at < end) {
        number = number * 10 + (unsigned long long)(text[at] - '0');
        at++;
    }
    return text[begin] == '-' ? 0 - number : number;
}

static void __clausal_scanned_text(char *target, const char *text, int begin, int end, int ends)
{
    int at = begin;
    while (at < end) {
        target[at - begin] = text[at];
        at++;
    }
    if (ends != 0)
        target[end - begin] = 0;
}

static int __clausal_scan_result(int at, int count)
{
    return at == -2 && count == 0 ? -1 : count;
}

static void __clausal_read_word(char *target, size_t most)
{
    size_t n = 0;
    while (n < most) {
        int c, ends;
        __VERIFIER_assume(c >= 1 && c <= 255 && c != ' ' && (c < 9 || c > 13));
        target[n] = (char)c;
        n++;
        if (ends != 0)
            break;
    }
    target[n] = 0;
}
