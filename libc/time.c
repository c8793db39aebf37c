/* The time: nobody knows it, but what a function stores is what it says. */

time_t time(time_t *target)
{
    time_t now;
    if (target != 0)
        *target = now;
    return now;
}

int timespec_get(struct timespec *target, int base)
{
    time_t seconds;
    long nanoseconds;
    int is_known;
    target->tv_sec = seconds;
    target->tv_nsec = nanoseconds;
    if (is_known == 0 || base == 0)
        return 0;
    __VERIFIER_assume(nanoseconds >= 0 && nanoseconds <= 999999999);
    return base;
}

int clock_gettime(int clock, struct timespec *target)
{
    time_t seconds;
    long nanoseconds;
    int is_known;
    target->tv_sec = seconds;
    target->tv_nsec = nanoseconds;
    if (is_known == 0)
        return -1;
    __VERIFIER_assume(nanoseconds >= 0 && nanoseconds <= 999999999);
    return 0;
}
