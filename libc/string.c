/* Texts, and memory as bytes. Of a comparison, C says the sign. */

/* What only reads a text reads it up to its end; asked only where reading it may be an error. */
static void __clausal_read_text(const char *s)
{
    while (*s != 0)
        s++;
}

size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

size_t strnlen(const char *s, size_t most)
{
    size_t n = 0;
    __clausal_wants(s);
    while (n < most && s[n] != 0)
        n++;
    return n;
}

int strcmp(const char *one, const char *other)
{
    const unsigned char *a = (const unsigned char *)one, *b = (const unsigned char *)other;
    int result = __clausal_result();
    size_t i = 0;
    unsigned char x, y;
    while (1) {
        x = a[i];
        y = b[i];
        if (x != y)
            break;
        if (x == 0) {
            __VERIFIER_assume(result == 0);
            return result;
        }
        i++;
    }
    if (x < y)
        __VERIFIER_assume(result < 0);
    else
        __VERIFIER_assume(result > 0);
    return result;
}

int strncmp(const char *one, const char *other, size_t n)
{
    const unsigned char *a = (const unsigned char *)one, *b = (const unsigned char *)other;
    int result = __clausal_result();
    size_t i = 0;
    __clausal_wants(a);
    __clausal_wants(b);
    while (i < n) {
        unsigned char x = a[i], y = b[i];
        if (x != y) {
            if (x < y)
                __VERIFIER_assume(result < 0);
            else
                __VERIFIER_assume(result > 0);
            return result;
        }
        if (x == 0)
            break;
        i++;
    }
    __VERIFIER_assume(result == 0);
    return result;
}

int strcasecmp(const char *one, const char *other)
{
    const unsigned char *a = (const unsigned char *)one, *b = (const unsigned char *)other;
    int result = __clausal_result();
    size_t i = 0;
    int x, y;
    while (1) {
        x = tolower(a[i]);
        y = tolower(b[i]);
        if (x != y)
            break;
        if (x == 0) {
            __VERIFIER_assume(result == 0);
            return result;
        }
        i++;
    }
    if (x < y)
        __VERIFIER_assume(result < 0);
    else
        __VERIFIER_assume(result > 0);
    return result;
}

int strncasecmp(const char *one, const char *other, size_t n)
{
    const unsigned char *a = (const unsigned char *)one, *b = (const unsigned char *)other;
    int result = __clausal_result();
    size_t i = 0;
    __clausal_wants(a);
    __clausal_wants(b);
    while (i < n) {
        int x = tolower(a[i]), y = tolower(b[i]);
        if (x != y) {
            if (x < y)
                __VERIFIER_assume(result < 0);
            else
                __VERIFIER_assume(result > 0);
            return result;
        }
        if (x == 0)
            break;
        i++;
    }
    __VERIFIER_assume(result == 0);
    return result;
}

int memcmp(const void *one, const void *other, size_t n)
{
    const unsigned char *a = one, *b = other;
    int result = __clausal_result();
    size_t i = 0;
    __clausal_reads(a, n);
    __clausal_reads(b, n);
    while (i < n) {
        unsigned char x = a[i], y = b[i];
        if (x != y) {
            if (x < y)
                __VERIFIER_assume(result < 0);
            else
                __VERIFIER_assume(result > 0);
            return result;
        }
        i++;
    }
    __VERIFIER_assume(result == 0);
    return result;
}

int bcmp(const void *one, const void *other, size_t n)
{
    const unsigned char *a = one, *b = other;
    int result = __clausal_result();
    size_t i = 0;
    __clausal_reads(a, n);
    __clausal_reads(b, n);
    while (i < n) {
        if (a[i] != b[i]) {
            __VERIFIER_assume(result != 0);
            return result;
        }
        i++;
    }
    __VERIFIER_assume(result == 0);
    return result;
}

char *strchr(const char *s, int c)
{
    size_t i = 0;
    char wanted = (char)c;
    while (s[i] != wanted) {
        if (s[i] == 0)
            return 0;
        i++;
    }
    return (char *)(s + i);
}

char *index(const char *s, int c)
{
    return strchr(s, c);
}

char *strchrnul(const char *s, int c)
{
    size_t i = 0;
    char wanted = (char)c;
    while (s[i] != wanted && s[i] != 0)
        i++;
    return (char *)(s + i);
}

char *strrchr(const char *s, int c)
{
    size_t i = 0;
    char wanted = (char)c;
    char *found = 0;
    while (1) {
        if (s[i] == wanted)
            found = (char *)(s + i);
        if (s[i] == 0)
            return found;
        i++;
    }
}

char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}

void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *bytes = s;
    unsigned char wanted = (unsigned char)c;
    size_t i = 0;
    __clausal_wants(bytes);
    while (i < n) {
        if (bytes[i] == wanted)
            return (void *)(bytes + i);
        i++;
    }
    return 0;
}

void *rawmemchr(const void *s, int c)
{
    const unsigned char *bytes = s;
    unsigned char wanted = (unsigned char)c;
    size_t i = 0;
    while (bytes[i] != wanted)
        i++;
    return (void *)(bytes + i);
}

void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *bytes = s;
    unsigned char wanted = (unsigned char)c;
    __clausal_wants(bytes);
    while (n > 0) {
        n--;
        if (bytes[n] == wanted)
            return (void *)(bytes + n);
    }
    return 0;
}

size_t strspn(const char *s, const char *accepted)
{
    size_t n = 0;
    while (s[n] != 0) {
        size_t k = 0;
        while (accepted[k] != 0 && accepted[k] != s[n])
            k++;
        if (accepted[k] == 0)
            break;
        n++;
    }
    return n;
}

size_t strcspn(const char *s, const char *refused)
{
    size_t n = 0;
    while (s[n] != 0) {
        size_t k = 0;
        while (refused[k] != 0 && refused[k] != s[n])
            k++;
        if (refused[k] != 0)
            break;
        n++;
    }
    return n;
}

char *strpbrk(const char *s, const char *accepted)
{
    size_t n = 0;
    while (s[n] != 0) {
        size_t k = 0;
        while (accepted[k] != 0) {
            if (accepted[k] == s[n])
                return (char *)(s + n);
            k++;
        }
        n++;
    }
    return 0;
}

char *strstr(const char *s, const char *wanted)
{
    size_t i = 0;
    while (1) {
        size_t k = 0;
        while (wanted[k] != 0 && s[i + k] == wanted[k])
            k++;
        if (wanted[k] == 0)
            return (char *)(s + i);
        if (s[i] == 0)
            return 0;
        i++;
    }
}

char *strcasestr(const char *s, const char *wanted)
{
    size_t i = 0;
    while (1) {
        size_t k = 0;
        while (wanted[k] != 0 && tolower((unsigned char)s[i + k]) == tolower((unsigned char)wanted[k]))
            k++;
        if (wanted[k] == 0)
            return (char *)(s + i);
        if (s[i] == 0)
            return 0;
        i++;
    }
}

char *strcpy(char *target, const char *source)
{
    size_t i = 0;
    while (1) {
        char c = source[i];
        __clausal_apart(target, source, i + 1);
        target[i] = c;
        if (c == 0)
            break;
        i++;
    }
    return target;
}

char *stpcpy(char *target, const char *source)
{
    size_t i = 0;
    while (1) {
        char c = source[i];
        __clausal_apart(target, source, i + 1);
        target[i] = c;
        if (c == 0)
            break;
        i++;
    }
    return target + i;
}

char *strncpy(char *target, const char *source, size_t n)
{
    size_t i = 0;
    __clausal_wants(target);
    __clausal_wants(source);
    while (i < n) {
        char c = source[i];
        __clausal_apart(target, source, i + 1);
        target[i] = c;
        i++;
        if (c == 0)
            break;
    }
    while (i < n) {
        target[i] = 0;
        i++;
    }
    return target;
}

char *strcat(char *target, const char *source)
{
    size_t n = 0, i = 0;
    while (target[n] != 0)
        n++;
    while (1) {
        char c = source[i];
        __clausal_apart(target + (n - i), source, i + 1);
        target[n] = c;
        if (c == 0)
            break;
        n++;
        i++;
    }
    return target;
}

char *strncat(char *target, const char *source, size_t most)
{
    size_t n = 0, i = 0;
    __clausal_wants(source);
    while (target[n] != 0)
        n++;
    while (i < most && source[i] != 0) {
        __clausal_apart(target + (n - i), source, i + 1);
        target[n] = source[i];
        n++;
        i++;
    }
    if (i < most)
        __clausal_apart(target + (n - i), source, i + 1);
    target[n] = 0;
    return target;
}

char *strdup(const char *s)
{
    size_t n = strlen(s);
    char *copy = malloc(n + 1);
    size_t i = 0;
    if (copy == 0)
        return 0;
    while (i < n) {
        copy[i] = s[i];
        i++;
    }
    copy[n] = 0;
    return copy;
}

char *strndup(const char *s, size_t most)
{
    size_t n = strnlen(s, most);
    char *copy = malloc(n + 1);
    size_t i = 0;
    if (copy == 0)
        return 0;
    while (i < n) {
        copy[i] = s[i];
        i++;
    }
    copy[n] = 0;
    return copy;
}

static char *__clausal_strtok_rest;

char *strtok_r(char *s, const char *separators, char **rest)
{
    char *start = s;
    size_t n;
    if (start == 0)
        start = *rest;
    start += strspn(start, separators);
    if (*start == 0) {
        *rest = start;
        return 0;
    }
    n = strcspn(start, separators);
    if (start[n] == 0)
        *rest = start + n;
    else {
        start[n] = 0;
        *rest = start + n + 1;
    }
    return start;
}

char *strtok(char *s, const char *separators)
{
    return strtok_r(s, separators, &__clausal_strtok_rest);
}

char *strsep(char **text, const char *separators)
{
    char *start = *text;
    size_t n;
    if (start == 0)
        return 0;
    n = strcspn(start, separators);
    if (start[n] == 0)
        *text = 0;
    else {
        start[n] = 0;
        *text = start + n + 1;
    }
    return start;
}
