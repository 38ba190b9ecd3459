#include "common/units.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

struct unit {
    const char *suffix;
    uint64_t factor;
};

static const struct unit count_units[] = {
    {"", 1},           {"k", 1000},        {"K", 1000},        {"M", 1000000},
    {"G", 1000000000}, {"Ki", 1ull << 10}, {"Mi", 1ull << 20}, {"Gi", 1ull << 30},
    {NULL, 0},
};

static const struct unit size_units[] = {
    {"", 1},
    {"B", 1},
    {"k", 1ull << 10},
    {"K", 1ull << 10},
    {"kB", 1000},
    {"KB", 1000},
    {"m", 1ull << 20},
    {"M", 1ull << 20},
    {"MB", 1000000},
    {"g", 1ull << 30},
    {"G", 1ull << 30},
    {"GB", 1000000000},
    {"Ki", 1ull << 10},
    {"KiB", 1ull << 10},
    {"Mi", 1ull << 20},
    {"MiB", 1ull << 20},
    {"Gi", 1ull << 30},
    {"GiB", 1ull << 30},
    {NULL, 0},
};

static const struct unit time_units[] = {
    {"ns", 1},         {"us", 1000},         {"ms", 1000000},
    {"s", 1000000000}, {"min", 60000000000}, {"h", 3600000000000},
    {NULL, 0},
};

static const struct unit *find_unit(const struct unit *units, const char *suffix)
{
    for (const struct unit *unit = units; unit->suffix; unit++)
        if (strcmp(unit->suffix, suffix) == 0)
            return unit;
    return NULL;
}

/* Parse a decimal number at TEXT. The number is *DIGITS / *DIVISOR; the divisor is a power of ten.
 * Returns the text after the number. Returns NULL if TEXT does not begin with a number, the number
 * is too long, or a point lacks a digit before or after it. */
static const char *scan_decimal(const char *text, uint64_t *digits, uint64_t *divisor)
{
    const char *start = text;
    int point = 0, any = 0;

    *digits = 0;
    *divisor = 1;
    for (; isdigit((unsigned char)*text) || (*text == '.' && !point); text++) {
        if (*text == '.') {
            point = 1;
            continue;
        }
        any = 1;
        if (__builtin_mul_overflow(*digits, 10u, digits) ||
            __builtin_add_overflow(*digits, (uint64_t)(*text - '0'), digits))
            return NULL;
        if (point && __builtin_mul_overflow(*divisor, 10u, divisor))
            return NULL;
    }
    return any && text[-1] != '.' && *start != '.' ? text : NULL;
}

static int parse_number(const char *text, const struct unit *units, uint64_t *value)
{
    uint64_t digits, divisor;
    const char *suffix = scan_decimal(text, &digits, &divisor);
    const struct unit *unit;
    unsigned __int128 scaled;

    if (!suffix) /* if the word has only digits, the number is too long */
        return text[0] && strspn(text, "0123456789") == strlen(text) ? -ERANGE : -EINVAL;
    unit = find_unit(units, suffix);
    if (!unit)
        return -EINVAL;
    scaled = (unsigned __int128)digits * unit->factor;
    if (scaled % divisor != 0)
        return -EINVAL;
    if (scaled / divisor > UINT64_MAX)
        return -ERANGE;
    *value = (uint64_t)(scaled / divisor);
    return 0;
}

int units_parse_count(const char *text, uint64_t *count)
{
    return parse_number(text, count_units, count);
}

int units_parse_size(const char *text, uint64_t *bytes)
{
    return parse_number(text, size_units, bytes);
}

int units_parse_time(const char *text, uint64_t *nanoseconds)
{
    if (strcmp(text, "0") == 0) {
        *nanoseconds = 0;
        return 0;
    }
    return parse_number(text, time_units, nanoseconds);
}
