/* Parsing the values of a sweep. */
#include "cli/option_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/units.h"

enum { WORD_SIZE = 48 };

/* Parse "64k" as a size or as a count, or "50%". 0 or a negative errno. */
static int parse_value(const char *word, enum sweep_range_kind kind, double *value, bool *percent)
{
    size_t length = strlen(word);
    uint64_t number;
    char *end;
    int code;

    *percent = length > 0 && word[length - 1] == '%';
    if (*percent) {
        *value = strtod(word, &end) / 100;
        return end == word + length - 1 && *value > 0 && *value <= 10 ? 0 : -EINVAL;
    }
    code = kind == SWEEP_RANGE_SIZES ? units_parse_size(word, &number)
                                     : units_parse_count(word, &number);
    *value = (double)number;
    return code == 0 && (number == 0 || number >= UINT32_MAX) ? -EINVAL : code;
}

static int add_value(struct sweep_range *range, double value)
{
    for (size_t i = 0; i < range->count; i++)
        if (range->values[i] == value)
            return 0;
    if (range->count == SWEEP_VALUES_MAXIMUM)
        return -E2BIG;
    range->values[range->count++] = value;
    return 0;
}

/* Add the values from FIRST to LAST: doublings or, for percentages, multiples of the first. */
static int add_range(struct sweep_range *range, double first, double last, bool percent)
{
    int code = first <= last ? 0 : -EINVAL;
    double value = first;

    for (size_t i = 2; value < last * (1 - 1e-9) && code == 0; i++) {
        code = add_value(range, value);
        value = percent ? first * (double)i : value * 2;
    }
    return code ? code : add_value(range, last);
}

/* "8", or "1..64". */
static int add_word(struct sweep_range *range, enum sweep_range_kind kind, char *word)
{
    char *dots = strstr(word, "..");
    bool percent, percent_too;
    double first, last;

    if (dots)
        *dots = '\0';
    if (parse_value(word, kind, &first, &percent) != 0)
        return -EINVAL;
    last = first;
    percent_too = percent;
    if (dots && parse_value(dots + 2, kind, &last, &percent_too) != 0)
        return -EINVAL;
    if (percent != percent_too || (range->count > 0 && percent != range->percent))
        return -EINVAL;
    range->percent = percent;
    return add_range(range, first, last, percent);
}

int sweep_range_parse(const char *option, const char *text, enum sweep_range_kind kind,
                      struct sweep_range *range, struct error *error)
{
    const bool shares = kind == SWEEP_RANGE_SHARES;
    const char *at = text;
    int code = 0;

    memset(range, 0, sizeof *range);
    do {
        size_t length = strcspn(at, ",");
        char word[WORD_SIZE];

        snprintf(word, sizeof word, "%.*s", (int)(length < WORD_SIZE ? length : WORD_SIZE), at);
        code = length < WORD_SIZE ? add_word(range, kind, word) : -EINVAL;
        at += length;
    } while (code == 0 && *at++ == ',');
    if (code == -E2BIG)
        return error_set(error, ERROR_USAGE, -EINVAL, "--%s '%.60s': more than %d values", option,
                         text, SWEEP_VALUES_MAXIMUM);
    if (code || (range->percent && !shares))
        return error_set(
            error, ERROR_USAGE, -EINVAL,
            "--%s '%.60s': expected values of 1 or more, such as 1,2,4 or 1..64 (doublings)%s",
            option, text, shares ? ", or percentages such as 10%..100%" : "");
    return 0;
}
