/* Memory by elements of a type, which is another one in each copy of such a function. */

static void __clausal_copy(__clausal_element *target, const __clausal_element *source, size_t count)
{
    size_t i = 0;
    /* Only if the target begins inside of the source, the end has to be copied first. The order of addresses of different
       objects is nobody's business. */
    while (i < count && target != &source[i])
        i++;
    if (i == count) {
        i = 0;
        while (i < count) {
            target[i] = source[i];
            i++;
        }
    } else {
        while (count > 0) {
            count--;
            target[count] = source[count];
        }
    }
}

static void __clausal_fill(__clausal_element *target, __clausal_element value, size_t count)
{
    size_t i = 0;
    while (i < count) {
        target[i] = value;
        i++;
    }
}

static void __clausal_clear(__clausal_element *target, size_t count)
{
    size_t i = 0;
    while (i < count) {
        target[i] = (__clausal_element){0};
        i++;
    }
}

/* Of numbers that differ, the lowest byte in which they do comes first. */
static int __clausal_compare(const __clausal_element *one, const __clausal_element *other, size_t count)
{
    int result = __clausal_result();
    size_t i = 0;
    while (i < count) {
        __clausal_element x = one[i], y = other[i];
        if (x != y) {
            while ((unsigned char)x == (unsigned char)y) {
                x = x >> 8;
                y = y >> 8;
            }
            if ((unsigned char)x < (unsigned char)y)
                __VERIFIER_assume(result < 0);
            else
                __VERIFIER_assume(result > 0);
            return result;
        }
        i++;
    }
    return 0;
}

/* Which of several equal ones comes first is not said, and makes no difference if they are the same. */
static void __clausal_sort(__clausal_element *base, size_t count, int (*compare)(const void *, const void *))
{
    /* Any two may be compared, whichever this one compares. */
    size_t one, other;
    if (one < count && other < count && one != other)
        compare(&base[one], &base[other]);
    size_t i = 1;
    while (i < count) {
        __clausal_element key = base[i];
        size_t j = i;
        while (j > 0) {
            int order = compare(&base[j - 1], &key);
            if (order < 0)
                break;
            if (order == 0) {
                int stays;
                if (base[j - 1] == key || stays != 0)
                    break;
            }
            base[j] = base[j - 1];
            j--;
        }
        base[j] = key;
        i++;
    }
}

static void __clausal_sort_records(__clausal_element *base, size_t count, int (*compare)(const void *, const void *))
{
    /* Any two may be compared, whichever this one compares. */
    size_t one, other;
    if (one < count && other < count && one != other)
        compare(&base[one], &base[other]);
    size_t i = 1;
    while (i < count) {
        __clausal_element key = base[i];
        size_t j = i;
        while (j > 0) {
            int order = compare(&base[j - 1], &key);
            if (order < 0)
                break;
            if (order == 0) {
                int stays;
                if (stays != 0)
                    break;
            }
            base[j] = base[j - 1];
            j--;
        }
        base[j] = key;
        i++;
    }
}

static __clausal_element *__clausal_search(const void *key, const __clausal_element *base, size_t count,
                                           int (*compare)(const void *, const void *))
{
    size_t any;
    if (any < count)
        compare(key, &base[any]);
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(key, &base[middle]);
        if (order == 0) {
            while (1) {
                int further;
                if (middle + 1 >= high || further == 0 || compare(key, &base[middle + 1]) != 0)
                    break;
                middle++;
            }
            while (1) {
                int further;
                if (middle <= low || further == 0 || compare(key, &base[middle - 1]) != 0)
                    break;
                middle--;
            }
            return (__clausal_element *)&base[middle];
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}
