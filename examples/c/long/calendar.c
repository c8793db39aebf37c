/* A utility for dates: days are counted, read and written as texts, put into weeks, and rules say on which days something happens again. Each seeded
   mistake (BUG1, BUG2, BUG3) makes an assertion fail. */

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct date {
    int year, month, day;
};

enum unit { UNIT_DAY, UNIT_WEEK, UNIT_MONTH, UNIT_YEAR };

struct rule {
    struct date first;
    enum unit unit;
    int every;
    /* Days of the week on which nothing happens, as bits from Monday on: then it is the next day. */
    unsigned closed;
};

enum problem { PROBLEM_NONE, PROBLEM_LENGTH, PROBLEM_DIGIT, PROBLEM_SEPARATOR, PROBLEM_MONTH, PROBLEM_DAY };

static const char *const names_of_days[7] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };

/* Years and months. */

static bool is_leap(int year)
{
#ifdef BUG1
    return year % 4 == 0 && year % 100 != 0;
#else
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
#endif
}

static int days_in_month(int year, int month)
{
    static const int days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    assert(month >= 1 && month <= 12);
    int count = days[month - 1];
    return month == 2 && is_leap(year) ? count + 1 : count;
}

static int days_in_year(int year)
{
    return is_leap(year) ? 366 : 365;
}

static bool is_date(struct date date)
{
    return date.month >= 1 && date.month <= 12 && date.day >= 1 && date.day <= days_in_month(date.year, date.month);
}

static int compare(struct date one, struct date other)
{
    if (one.year != other.year)
        return one.year < other.year ? -1 : 1;
    if (one.month != other.month)
        return one.month < other.month ? -1 : 1;
    return (one.day > other.day) - (one.day < other.day);
}

/* Days are counted from 1 March of the year 0 on, so that the day that is there sometimes is the last one of a year. */
static long number_of(struct date date)
{
    long year = date.month <= 2 ? date.year - 1 : date.year;
    long month = date.month <= 2 ? date.month + 9 : date.month - 3;
    return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + date.day - 1;
}

static struct date date_of(long number)
{
    struct date date;
    long era = number / 146097;
    long day = number % 146097;
    long year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= year * 365 + year / 4 - year / 100;
    long month = (5 * day + 2) / 153;
    date.day = (int)(day - (153 * month + 2) / 5 + 1);
    date.month = (int)(month < 10 ? month + 3 : month - 9);
    date.year = (int)(era * 400 + year + (date.month <= 2));
    return date;
}

static int day_of_week(struct date date)
{
    /* 1 March of the year 0 is a Wednesday. */
    return (int)((number_of(date) + 2) % 7);
}

static int day_of_year(struct date date)
{
    int day = date.day;
    for (int month = 1; month < date.month; month++)
        day += days_in_month(date.year, month);
    return day;
}

/* Weeks begin on Mondays; the first one of a year has its first Thursday. */

static int weeks_in_year(int year)
{
    struct date first = { year, 1, 1 };
    int day = day_of_week(first);
    return day == 3 || (day == 2 && is_leap(year)) ? 53 : 52;
}

static int week_of(struct date date, int *year)
{
    int day = day_of_year(date);
    int week = (day - day_of_week(date) + 9) / 7;
    *year = date.year;
    if (week == 0) {
        *year = date.year - 1;
        return weeks_in_year(*year);
    }
#ifndef BUG2
    if (week > weeks_in_year(date.year)) {
        *year = date.year + 1;
        return 1;
    }
#endif
    return week;
}

/* Moving on. */

static struct date add_days(struct date date, long days)
{
    return date_of(number_of(date) + days);
}

/* The same day of another month, or its last one. */
static struct date add_months(struct date date, int months)
{
    int count = date.year * 12 + date.month - 1 + months;
    struct date moved = { count / 12, count % 12 + 1, date.day };
    int last = days_in_month(moved.year, moved.month);
    if (moved.day > last)
        moved.day = last;
    return moved;
}

static struct date occurrence(const struct rule *rule, int turn)
{
    struct date date;
    switch (rule->unit) {
    case UNIT_DAY:
        date = add_days(rule->first, (long)turn * rule->every);
        break;
    case UNIT_WEEK:
        date = add_days(rule->first, 7L * turn * rule->every);
        break;
    case UNIT_MONTH:
        date = add_months(rule->first, turn * rule->every);
        break;
    default:
        date = add_months(rule->first, 12 * turn * rule->every);
        break;
    }
    int tries = 0;
    while (rule->closed >> day_of_week(date) & 1u) {
        date = add_days(date, 1);
        tries++;
        assert(tries < 7);
    }
    return date;
}

/* Texts. */

static bool read_number(const char *text, int digits, int *number)
{
    *number = 0;
    for (int i = 0; i < digits; i++) {
        if (!isdigit((unsigned char)text[i]))
            return false;
        *number = *number * 10 + (text[i] - '0');
    }
    return true;
}

static enum problem read_date(const char *text, struct date *date)
{
    if (strlen(text) != 10)
        return PROBLEM_LENGTH;
    if (text[4] != '-' || text[7] != '-')
        return PROBLEM_SEPARATOR;
    if (!read_number(text, 4, &date->year) || !read_number(text + 5, 2, &date->month) || !read_number(text + 8, 2, &date->day))
        return PROBLEM_DIGIT;
    if (date->month < 1 || date->month > 12)
        return PROBLEM_MONTH;
#ifdef BUG3
    if (date->day < 1 || date->day > 31)
#else
    if (!is_date(*date))
#endif
        return PROBLEM_DAY;
    return PROBLEM_NONE;
}

static void write_number(char *target, int digits, int number)
{
    for (int i = digits - 1; i >= 0; i--) {
        target[i] = (char)('0' + number % 10);
        number /= 10;
    }
}

static void write_date(struct date date, char *target)
{
    write_number(target, 4, date.year);
    target[4] = '-';
    write_number(target + 5, 2, date.month);
    target[7] = '-';
    write_number(target + 8, 2, date.day);
    target[10] = '\0';
}

static struct date date_from(const char *text)
{
    struct date date;
    enum problem problem = read_date(text, &date);
    assert(problem == PROBLEM_NONE);
    return date;
}

/* What must hold of every date: counting there and back, text and back. */
static void check(struct date date)
{
    assert(is_date(date));
    assert(compare(date_of(number_of(date)), date) == 0);
    char text[11];
    write_date(date, text);
    assert(compare(date_from(text), date) == 0);
    int day = day_of_week(date);
    assert(day >= 0 && day < 7);
    assert(day_of_year(date) <= days_in_year(date.year));
    int year;
    int week = week_of(date, &year);
    assert(week >= 1 && week <= weeks_in_year(year));
}

static void check_week(const char *text, int expected_year, int expected_week, int expected_day)
{
    struct date date = date_from(text);
    int year;
    int week = week_of(date, &year);
    check(date);
    assert(day_of_week(date) == expected_day);
    assert(year == expected_year && week == expected_week);
}

static void check_rule(const struct rule *rule, int turn, const char *expected)
{
    char text[11];
    struct date date = occurrence(rule, turn);
    check(date);
    write_date(date, text);
    assert(strcmp(text, expected) == 0);
}

int main(void)
{
    struct date date;
    assert(read_date("2024-2-01", &date) == PROBLEM_LENGTH);
    assert(read_date("2024/02/01", &date) == PROBLEM_SEPARATOR);
    assert(read_date("2024-0x-01", &date) == PROBLEM_DIGIT);
    assert(read_date("2024-13-01", &date) == PROBLEM_MONTH);
    assert(read_date("2000-02-29", &date) == PROBLEM_NONE);
    assert(read_date("1900-02-29", &date) == PROBLEM_DAY);
    long in_march = number_of(date_from("2000-03-01"));
    long in_february = number_of(date_from("2000-02-28"));
    assert(in_march - in_february == 2);
    check_week("2021-01-03", 2020, 53, 6);
    check_week("2024-12-30", 2025, 1, 0);
    check_week("2026-06-15", 2026, 25, 0);
    struct rule monthly = { date_from("2024-01-31"), UNIT_MONTH, 1, 0 };
    check_rule(&monthly, 1, "2024-02-29");
    check_rule(&monthly, 13, "2025-02-28");
    struct rule weekly = { date_from("2024-02-20"), UNIT_WEEK, 2, 0 };
    check_rule(&weekly, 1, "2024-03-05");
    struct rule working = { date_from("2024-08-31"), UNIT_YEAR, 1, 1u << 5 | 1u << 6 };
    check_rule(&working, 0, "2024-09-02");
    check_rule(&working, 1, "2025-09-01");
    struct rule daily = { date_from("1999-12-30"), UNIT_DAY, 30, 0 };
    check_rule(&daily, 2, "2000-02-28");
    printf("%s\n", names_of_days[day_of_week(date)]);
    return 0;
}
