/* Texts of wide characters. Of a comparison, C says the sign. */

size_t wcslen(const wchar_t *s)
{
    size_t n = 0;
    while (s[n] != 0)
        n++;
    return n;
}

wchar_t *wcscpy(wchar_t *target, const wchar_t *source)
{
    size_t i = 0;
    while (1) {
        wchar_t c = source[i];
        __clausal_apart(target, source, (i + 1) * sizeof(wchar_t));
        target[i] = c;
        if (c == 0)
            break;
        i++;
    }
    return target;
}

wchar_t *wcsncpy(wchar_t *target, const wchar_t *source, size_t n)
{
    size_t i = 0;
    __clausal_wants(target);
    __clausal_wants(source);
    while (i < n && source[i] != 0) {
        target[i] = source[i];
        i++;
    }
    while (i < n) {
        target[i] = 0;
        i++;
    }
    return target;
}

wchar_t *wcscat(wchar_t *target, const wchar_t *source)
{
    size_t end = 0, i = 0;
    while (target[end] != 0)
        end++;
    while (source[i] != 0) {
        target[end + i] = source[i];
        i++;
    }
    target[end + i] = 0;
    return target;
}

wchar_t *wcsncat(wchar_t *target, const wchar_t *source, size_t n)
{
    size_t end = 0, i = 0;
    __clausal_wants(source);
    while (target[end] != 0)
        end++;
    while (i < n && source[i] != 0) {
        target[end + i] = source[i];
        i++;
    }
    target[end + i] = 0;
    return target;
}

int wcscmp(const wchar_t *one, const wchar_t *other)
{
    int result = __clausal_result();
    size_t i = 0;
    while (one[i] == other[i]) {
        if (one[i] == 0) {
            __VERIFIER_assume(result == 0);
            return result;
        }
        i++;
    }
    if (one[i] < other[i])
        __VERIFIER_assume(result < 0);
    else
        __VERIFIER_assume(result > 0);
    return result;
}

int wcsncmp(const wchar_t *one, const wchar_t *other, size_t n)
{
    int result = __clausal_result();
    size_t i = 0;
    __clausal_wants(one);
    __clausal_wants(other);
    while (i < n) {
        if (one[i] != other[i]) {
            if (one[i] < other[i])
                __VERIFIER_assume(result < 0);
            else
                __VERIFIER_assume(result > 0);
            return result;
        }
        if (one[i] == 0)
            break;
        i++;
    }
    __VERIFIER_assume(result == 0);
    return result;
}

wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
    while (*s != c) {
        if (*s == 0)
            return 0;
        s++;
    }
    return (wchar_t *)s;
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
    const wchar_t *last = 0;
    while (1) {
        if (*s == c)
            last = s;
        if (*s == 0)
            break;
        s++;
    }
    return (wchar_t *)last;
}

wchar_t *wmemcpy(wchar_t *target, const wchar_t *source, size_t n)
{
    size_t i = 0;
    __clausal_wants(target);
    __clausal_wants(source);
    __clausal_apart(target, source, n * sizeof(wchar_t));
    while (i < n) {
        target[i] = source[i];
        i++;
    }
    return target;
}

wchar_t *wmemset(wchar_t *target, wchar_t c, size_t n)
{
    size_t i = 0;
    __clausal_wants(target);
    while (i < n) {
        target[i] = c;
        i++;
    }
    return target;
}
