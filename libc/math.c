/* Floating-point numbers taken apart, their neighbours and remainders: exact, so every step rounds nothing or what is said. */

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
    if (from != from || to != to)
        return from + to;
    if (from == to)
        return to;
    if (from == 0.0)
        return to > 0.0 ? 0x1p-1074 : -0x1p-1074;
    if (from > 0.0)
        return to > from ? __clausal_above(from) : __clausal_below(from);
    return to < from ? -__clausal_above(-from) : -__clausal_below(-from);
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
    if (from != from || to != to)
        return from + to;
    if (from == to)
        return to;
    if (from == 0.0f)
        return to > 0.0f ? 0x1p-149f : -0x1p-149f;
    if (from > 0.0f)
        return to > from ? __clausal_float_above(from) : __clausal_float_below(from);
    return to < from ? -__clausal_float_above(-from) : -__clausal_float_below(-from);
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
