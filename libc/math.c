/* Floating-point numbers taken apart and scaled, their neighbours and remainders: exact, so every step rounds nothing or what is said. */

double modf(double number, double *whole)
{
    double rounded = __builtin_trunc(number);
    *whole = rounded;
    if (number != number)
        return number;
    if (number == rounded)
        return __builtin_copysign(0.0, number);
    return number - rounded;
}

float modff(float number, float *whole)
{
    float rounded = __builtin_truncf(number);
    *whole = rounded;
    if (number != number)
        return number;
    if (number == rounded)
        return __builtin_copysignf(0.0f, number);
    return number - rounded;
}

/* Halving a number that is not below one is exact, and so is doubling. */
double frexp(double number, int *exponent)
{
    int count = 0;
    *exponent = 0;
    if (number != number || number == 0.0 || number - number != 0.0)
        return number;
    while (number >= 1.0 || number <= -1.0) {
        number *= 0.5;
        count++;
    }
    while (number < 0.5 && number > -0.5) {
        number *= 2.0;
        count--;
    }
    *exponent = count;
    return number;
}

float frexpf(float number, int *exponent)
{
    int count = 0;
    *exponent = 0;
    if (number != number || number == 0.0f || number - number != 0.0f)
        return number;
    while (number >= 1.0f || number <= -1.0f) {
        number *= 0.5f;
        count++;
    }
    while (number < 0.5f && number > -0.5f) {
        number *= 2.0f;
        count--;
    }
    *exponent = count;
    return number;
}

/* One step away from zero of a number that is not negative, by Rump and others: half a unit in the last place and a little more
   is rounded to one. Where that would be subnormal it is done with a multiple. */
static double __clausal_above(double number)
{
    if (number < 0x1p-1021)
        return number + 0x1p-1074;
    if (number < 0x1p-900) {
        number *= 0x1p200;
        number += number * 0x1.0000000000001p-53;
        return number * 0x1p-200;
    }
    return number + number * 0x1.0000000000001p-53;
}

/* One step towards zero of a number that is greater than zero. */
static double __clausal_below(double number)
{
    if (number <= 0x1p-1021)
        return number - 0x1p-1074;
    if (number < 0x1p-900) {
        number *= 0x1p200;
        number -= number * 0x1.0000000000001p-53;
        return number * 0x1p-200;
    }
    if (number - number != 0.0)
        return 0x1.fffffffffffffp1023;
    return number - number * 0x1.0000000000001p-53;
}

double nextafter(double from, double to)
{
    double next;
    if (from != from || to != to)
        return from + to;
    if (from == to)
        return to;
    if (from == 0.0)
        next = to > 0.0 ? 0x1p-1074 : -0x1p-1074;
    else if (from > 0.0)
        next = to > from ? __clausal_above(from) : __clausal_below(from);
    else
        next = to < from ? -__clausal_above(-from) : -__clausal_below(-from);
    return next;
}

static float __clausal_float_above(float number)
{
    if (number < 0x1p-125f)
        return number + 0x1p-149f;
    if (number < 0x1p-80f) {
        number *= 0x1p60f;
        number += number * 0x1.000002p-24f;
        return number * 0x1p-60f;
    }
    return number + number * 0x1.000002p-24f;
}

static float __clausal_float_below(float number)
{
    if (number <= 0x1p-125f)
        return number - 0x1p-149f;
    if (number < 0x1p-80f) {
        number *= 0x1p60f;
        number -= number * 0x1.000002p-24f;
        return number * 0x1p-60f;
    }
    if (number - number != 0.0f)
        return 0x1.fffffep127f;
    return number - number * 0x1.000002p-24f;
}

float nextafterf(float from, float to)
{
    float next;
    if (from != from || to != to)
        return from + to;
    if (from == to)
        return to;
    if (from == 0.0f)
        next = to > 0.0f ? 0x1p-149f : -0x1p-149f;
    else if (from > 0.0f)
        next = to > from ? __clausal_float_above(from) : __clausal_float_below(from);
    else
        next = to < from ? -__clausal_float_above(-from) : -__clausal_float_below(-from);
    return next;
}

/* What is left of `number` without the nearest multiple of `by`, of two that are as near the even one. */
double remainder(double number, double by)
{
    double rest = number < 0.0 ? -number : number, divisor = by < 0.0 ? -by : by;
    if (number != number || by != by || by == 0.0 || number - number != 0.0)
        return 0.0 / 0.0;
    if (divisor <= 0x1p1022)
        rest = __builtin_fmod(rest, divisor + divisor);
    if (divisor < 0x1p-1021) {
        if (rest + rest > divisor) {
            rest -= divisor;
            if (rest + rest >= divisor)
                rest -= divisor;
        }
    } else if (rest > 0.5 * divisor) {
        rest -= divisor;
        if (rest >= 0.5 * divisor)
            rest -= divisor;
    }
    if (rest == 0.0)
        return __builtin_copysign(0.0, number);
    return number < 0.0 ? -rest : rest;
}

float remainderf(float number, float by)
{
    return (float)remainder((double)number, (double)by);
}

long double modfl(long double number, long double *whole)
{
    long double rounded = __builtin_truncl(number);
    *whole = rounded;
    if (number != number)
        return number;
    if (number == rounded)
        return __builtin_copysignl(0.0L, number);
    return number - rounded;
}

long double frexpl(long double number, int *exponent)
{
    int count = 0;
    *exponent = 0;
    if (number != number || number == 0.0L || number - number != 0.0L)
        return number;
    while (number >= 1.0L || number <= -1.0L) {
        number *= 0.5L;
        count++;
    }
    while (number < 0.5L && number > -0.5L) {
        number *= 2.0L;
        count--;
    }
    *exponent = count;
    return number;
}

static long double __clausal_long_above(long double number)
{
    if (number < 0x1p-16381L)
        return number + 0x1p-16445L;
    if (number < 0x1p-16200L) {
        number *= 0x1p200L;
        number += number * 0x1.0000000000000002p-64L;
        return number * 0x1p-200L;
    }
    return number + number * 0x1.0000000000000002p-64L;
}

static long double __clausal_long_below(long double number)
{
    if (number <= 0x1p-16381L)
        return number - 0x1p-16445L;
    if (number < 0x1p-16200L) {
        number *= 0x1p200L;
        number -= number * 0x1.0000000000000002p-64L;
        return number * 0x1p-200L;
    }
    if (number - number != 0.0L)
        return 0x1.fffffffffffffffep16383L;
    return number - number * 0x1.0000000000000002p-64L;
}

long double nextafterl(long double from, long double to)
{
    long double next;
    if (from != from || to != to)
        return from + to;
    if (from == to)
        return to;
    if (from == 0.0L)
        next = to > 0.0L ? 0x1p-16445L : -0x1p-16445L;
    else if (from > 0.0L)
        next = to > from ? __clausal_long_above(from) : __clausal_long_below(from);
    else
        next = to < from ? -__clausal_long_above(-from) : -__clausal_long_below(-from);
    return next;
}

long double remainderl(long double number, long double by)
{
    long double rest = number < 0.0L ? -number : number, divisor = by < 0.0L ? -by : by;
    if (number != number || by != by || by == 0.0L || number - number != 0.0L)
        return 0.0L / 0.0L;
    if (divisor <= 0x1p16382L)
        rest = __builtin_fmodl(rest, divisor + divisor);
    if (divisor < 0x1p-16381L) {
        if (rest + rest > divisor) {
            rest -= divisor;
            if (rest + rest >= divisor)
                rest -= divisor;
        }
    } else if (rest > 0.5L * divisor) {
        rest -= divisor;
        if (rest >= 0.5L * divisor)
            rest -= divisor;
    }
    if (rest == 0.0L)
        return __builtin_copysignl(0.0L, number);
    return number < 0.0L ? -rest : rest;
}

/* Doubling is exact, and so is halving of a number that stays normal; what is left is one product, which rounds once. */
double ldexp(double number, int exponent)
{
    double power = 1.0;
    if (number != number || number == 0.0 || number - number != 0.0)
        return number;
    while (exponent > 0 && number - number == 0.0) {
        number *= 2.0;
        exponent--;
    }
    while (exponent < 0 && (number >= 0x1p-1021 || number <= -0x1p-1021)) {
        number *= 0.5;
        exponent++;
    }
    while (exponent < 0 && power > 0x1p-60) {
        power *= 0.5;
        exponent++;
    }
    return number * power;
}

double scalbn(double number, int exponent)
{
    return ldexp(number, exponent);
}

double scalbln(double number, long exponent)
{
    return ldexp(number, exponent > 100000 ? 100000 : exponent < -100000 ? -100000 : (int)exponent);
}

/* The exponent of a number that is not zero, and a number. */
static int __clausal_exponent(double number)
{
    int count = 0;
    while (number >= 2.0 || number <= -2.0) {
        number *= 0.5;
        count++;
    }
    while (number < 1.0 && number > -1.0) {
        number *= 2.0;
        count--;
    }
    return count;
}

double logb(double number)
{
    if (number != number)
        return number;
    if (number == 0.0)
        return -1.0 / 0.0;
    if (number - number != 0.0)
        return number * number;
    return (double)__clausal_exponent(number);
}

int ilogb(double number)
{
    if (number != number || number == 0.0 || number - number != 0.0)
        return number == number && number != 0.0 ? 2147483647 : -2147483647 - 1;
    return __clausal_exponent(number);
}

/* Doubling is exact, and so is halving of a number that stays normal; what is left is one product, which rounds once. */
float ldexpf(float number, int exponent)
{
    float power = 1.0f;
    if (number != number || number == 0.0f || number - number != 0.0f)
        return number;
    while (exponent > 0 && number - number == 0.0f) {
        number *= 2.0f;
        exponent--;
    }
    while (exponent < 0 && (number >= 0x1p-125f || number <= -0x1p-125f)) {
        number *= 0.5f;
        exponent++;
    }
    while (exponent < 0 && power > 0x1p-30f) {
        power *= 0.5f;
        exponent++;
    }
    return number * power;
}

float scalbnf(float number, int exponent)
{
    return ldexpf(number, exponent);
}

float scalblnf(float number, long exponent)
{
    return ldexpf(number, exponent > 100000 ? 100000 : exponent < -100000 ? -100000 : (int)exponent);
}

/* The exponent of a number that is not zero, and a number. */
static int __clausal_exponentf(float number)
{
    int count = 0;
    while (number >= 2.0f || number <= -2.0f) {
        number *= 0.5f;
        count++;
    }
    while (number < 1.0f && number > -1.0f) {
        number *= 2.0f;
        count--;
    }
    return count;
}

float logbf(float number)
{
    if (number != number)
        return number;
    if (number == 0.0f)
        return -1.0f / 0.0f;
    if (number - number != 0.0f)
        return number * number;
    return (float)__clausal_exponentf(number);
}

int ilogbf(float number)
{
    if (number != number || number == 0.0f || number - number != 0.0f)
        return number == number && number != 0.0f ? 2147483647 : -2147483647 - 1;
    return __clausal_exponentf(number);
}

/* Doubling is exact, and so is halving of a number that stays normal; what is left is one product, which rounds once. */
long double ldexpl(long double number, int exponent)
{
    long double power = 1.0L;
    if (number != number || number == 0.0L || number - number != 0.0L)
        return number;
    while (exponent > 0 && number - number == 0.0L) {
        number *= 2.0L;
        exponent--;
    }
    while (exponent < 0 && (number >= 0x1p-16381L || number <= -0x1p-16381L)) {
        number *= 0.5L;
        exponent++;
    }
    while (exponent < 0 && power > 0x1p-70L) {
        power *= 0.5L;
        exponent++;
    }
    return number * power;
}

long double scalbnl(long double number, int exponent)
{
    return ldexpl(number, exponent);
}

long double scalblnl(long double number, long exponent)
{
    return ldexpl(number, exponent > 100000 ? 100000 : exponent < -100000 ? -100000 : (int)exponent);
}

/* The exponent of a number that is not zero, and a number. */
static int __clausal_exponentl(long double number)
{
    int count = 0;
    while (number >= 2.0L || number <= -2.0L) {
        number *= 0.5L;
        count++;
    }
    while (number < 1.0L && number > -1.0L) {
        number *= 2.0L;
        count--;
    }
    return count;
}

long double logbl(long double number)
{
    if (number != number)
        return number;
    if (number == 0.0L)
        return -1.0L / 0.0L;
    if (number - number != 0.0L)
        return number * number;
    return (long double)__clausal_exponentl(number);
}

int ilogbl(long double number)
{
    if (number != number || number == 0.0L || number - number != 0.0L)
        return number == number && number != 0.0L ? 2147483647 : -2147483647 - 1;
    return __clausal_exponentl(number);
}
