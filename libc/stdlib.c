/* Numbers and what is said of them. */

/* The error number: zero at first, then what the program and these functions make of it. */
static int __clausal_errno;

int *__errno_location(void)
{
    return &__clausal_errno;
}

/* Any other function of the library has been called, or one that is not there, which may have called some. */
static void __clausal_change_errno(void)
{
    __clausal_errno = __clausal_unknown_errno();
}

/* How many functions are called when the program ends, and which. */
static int __clausal_at_exits;
static void (*__clausal_at_exit[32])(void);

int atexit(void (*function)(void))
{
    if (__clausal_at_exits == 32)
        __clausal_too_many_at_exit();
    __clausal_at_exit[__clausal_at_exits] = function;
    ++__clausal_at_exits;
    return 0;
}

/* The last one comes first, and may ask for more. */
static void __clausal_run_at_exit(void)
{
    void (*function)(void);
    while (__clausal_at_exits > 0) {
        --__clausal_at_exits;
        function = __clausal_at_exit[__clausal_at_exits];
        function();
    }
}

div_t div(int numerator, int denominator)
{
    div_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

ldiv_t ldiv(long numerator, long denominator)
{
    ldiv_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

lldiv_t lldiv(long long numerator, long long denominator)
{
    lldiv_t result;
    result.quot = numerator / denominator;
    result.rem = numerator % denominator;
    return result;
}

static int __clausal_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

static int __clausal_is_space(char c)
{
    return c == ' ' || c >= '\t' && c <= '\r';
}

/* A number that is read, where it ends, and the error number if it has one. */
struct __clausal_parsed {
    unsigned long long value;
    const char *end;
    int error;
};

static struct __clausal_parsed __clausal_number(const char *s, int base, unsigned long long positive,
                                                unsigned long long negative, int is_signed)
{
    struct __clausal_parsed result;
    const char *at = s;
    unsigned long long number = 0, most;
    int is_negative = 0, is_too_large = 0, is_number = 0, digit;
    result.value = 0;
    result.end = s;
    result.error = 0;
    if (base < 0 || base == 1 || base > 36) {
        result.error = 22;
        return result;
    }
    while (__clausal_is_space(*at))
        at++;
    if (*at == '-') {
        is_negative = 1;
        at++;
    } else if (*at == '+')
        at++;
    if ((base == 0 || base == 16) && *at == '0' && (at[1] == 'x' || at[1] == 'X') && __clausal_digit(at[2]) < 16) {
        at += 2;
        base = 16;
    } else if (base == 0)
        base = *at == '0' ? 8 : 10;
    most = is_negative ? negative : positive;
    while (1) {
        digit = __clausal_digit(*at);
        if (digit >= base)
            break;
        is_number = 1;
        if (is_too_large || number > (most - (unsigned)digit) / (unsigned)base)
            is_too_large = 1;
        else
            number = number * (unsigned)base + (unsigned)digit;
        at++;
    }
    if (is_number)
        result.end = at;
    if (is_too_large) {
        result.error = 34;
        result.value = is_signed && is_negative ? 0 - most : most;
    } else
        result.value = is_negative ? 0 - number : number;
    return result;
}

static unsigned long long __clausal_with_end(struct __clausal_parsed number, char **end)
{
    if (end != 0)
        *end = (char *)number.end;
    if (number.error != 0)
        __clausal_errno = number.error;
    return number.value;
}

long strtol(const char *s, char **end, int base)
{
    unsigned long most = (unsigned long)-1 / 2;
    return (long)__clausal_with_end(__clausal_number(s, base, most, (unsigned long long)most + 1, 1), end);
}

long long strtoll(const char *s, char **end, int base)
{
    unsigned long long most = (unsigned long long)-1 / 2;
    return (long long)__clausal_with_end(__clausal_number(s, base, most, most + 1, 1), end);
}

long long strtoq(const char *s, char **end, int base)
{
    return strtoll(s, end, base);
}

intmax_t strtoimax(const char *s, char **end, int base)
{
    return strtoll(s, end, base);
}

unsigned long strtoul(const char *s, char **end, int base)
{
    unsigned long most = (unsigned long)-1;
    return (unsigned long)__clausal_with_end(__clausal_number(s, base, most, most, 0), end);
}

unsigned long long strtoull(const char *s, char **end, int base)
{
    unsigned long long most = (unsigned long long)-1;
    return __clausal_with_end(__clausal_number(s, base, most, most, 0), end);
}

unsigned long long strtouq(const char *s, char **end, int base)
{
    return strtoull(s, end, base);
}

uintmax_t strtoumax(const char *s, char **end, int base)
{
    return strtoull(s, end, base);
}

/* Nothing is changed by these, so that they can be operands of one operator. */
long atol(const char *s)
{
    unsigned long most = (unsigned long)-1 / 2;
    return (long)__clausal_number(s, 10, most, (unsigned long long)most + 1, 1).value;
}

int atoi(const char *s)
{
    return (int)atol(s);
}

long long atoll(const char *s)
{
    unsigned long long most = (unsigned long long)-1 / 2;
    return (long long)__clausal_number(s, 10, most, most + 1, 1).value;
}

uint32_t htonl(uint32_t n)
{
    return n >> 24 | (n >> 8 & 0xff00) | (n << 8 & 0xff0000) | n << 24;
}

uint32_t ntohl(uint32_t n)
{
    return n >> 24 | (n >> 8 & 0xff00) | (n << 8 & 0xff0000) | n << 24;
}

uint16_t htons(uint16_t n)
{
    return (uint16_t)(n >> 8 | n << 8);
}

uint16_t ntohs(uint16_t n)
{
    return (uint16_t)(n >> 8 | n << 8);
}
