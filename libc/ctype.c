/* Characters and the order of texts, in the locale "C". Of what is true, C only says that it is not zero. */

int isdigit(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0) == (c >= '0' && c <= '9'));
    return result;
}

int isxdigit(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0) == (c >= '0' && c <= '9' || c >= 'A' && c <= 'F' || c >= 'a' && c <= 'f'));
    return result;
}

int isupper(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0) == (c >= 'A' && c <= 'Z'));
    return result;
}

int islower(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0) == (c >= 'a' && c <= 'z'));
    return result;
}

int isalpha(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0) == (c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'));
    return result;
}

int isalnum(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0) == (c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'));
    return result;
}

int isspace(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0) == (c == ' ' || c >= '\t' && c <= '\r'));
    return result;
}

int isblank(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0) == (c == ' ' || c == '\t'));
    return result;
}

int iscntrl(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0) == (c >= 0 && c < ' ' || c == 127));
    return result;
}

int isprint(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0) == (c >= ' ' && c < 127));
    return result;
}

int isgraph(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0) == (c > ' ' && c < 127));
    return result;
}

int ispunct(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0)
        == (c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'));
    return result;
}

int isascii(int c)
{
    int result = __clausal_result();
    __VERIFIER_assume((result != 0) == (c >= 0 && c <= 127));
    return result;
}

int toascii(int c)
{
    return c & 127;
}

int tolower(int c)
{
    if (c >= 'A' && c <= 'Z')
        return c + ('a' - 'A');
    return c;
}

int toupper(int c)
{
    if (c >= 'a' && c <= 'z')
        return c - ('a' - 'A');
    return c;
}

int strcoll(const char *one, const char *other)
{
    int result = __clausal_result(), sign = strcmp(one, other);
    __VERIFIER_assume((result < 0) == (sign < 0) && (result > 0) == (sign > 0));
    return result;
}
