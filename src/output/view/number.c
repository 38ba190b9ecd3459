#include "output/view/number.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double number_as_written(double value)
{
    char text[NUMBER_SIZE];

    snprintf(text, sizeof text, "%.*g", NUMBER_WRITTEN_DIGITS, value);
    return strtod(text, NULL);
}

const char *number_binary(uint64_t value, char out[NUMBER_SIZE])
{
    static const char *const units[] = {"", "Ki", "Mi"};
    size_t unit = 0;

    for (; value > 0 && value % 1024 == 0 && unit < 2; unit++)
        value /= 1024;
    snprintf(out, NUMBER_SIZE, "%" PRIu64 "%s", value, units[unit]);
    return out;
}

bool number_rounds_to_zero(double value, int decimals)
{
    char out[NUMBER_SIZE];

    snprintf(out, sizeof out, "%.*f", decimals, value);
    return isfinite(value) && !strpbrk(out, "123456789");
}

const char *number_grouped(double value, char out[NUMBER_SIZE])
{
    char digits[NUMBER_SIZE];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%.0f", fabs(value));
    size_t used = 0;

    if (value < -0.5)
        out[used++] = '-';
    for (size_t i = 0; i < length && used < NUMBER_SIZE - 2; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
    return out;
}

const char *number_us(double nanoseconds, int width, char out[NUMBER_SIZE])
{
    int decimals = 3;

    if (isnan(nanoseconds)) {
        snprintf(out, NUMBER_SIZE, "-");
        return out;
    }
    while (snprintf(out, NUMBER_SIZE, "%.*f", decimals, us(nanoseconds)) > width && decimals > 0)
        decimals--;
    return out;
}

/* Return the power of ten of VALUE's first digit (2 for 345); 0 if VALUE is 0 or not finite. */
static int first_place(double value)
{
    return fabs(value) > 0 && isfinite(value) ? (int)floor(log10(fabs(value))) : 0;
}

int number_round_known(struct interval *interval)
{
    const double half = interval_half_width(interval);
    const int first = first_place(interval->estimate);
    int place = half > 0 && isfinite(half)     ? first_place(half) - 1
                : fabs(interval->estimate) > 0 ? first - 3
                                               : 0;
    double step;

    if (place > 0 && place > first)
        place = first > 0 ? first : 0;
    if (place < 0)
        return -place;
    step = pow(10, place);
    interval->estimate = round(interval->estimate / step) * step;
    interval->low = round(interval->low / step) * step;
    interval->high = round(interval->high / step) * step;
    return NUMBER_GROUPED;
}

const char *number_print(double value, int decimals, bool sign, char out[NUMBER_SIZE])
{
    if (decimals == NUMBER_GROUPED)
        return number_grouped(value, out);
    if (decimals <= NUMBER_DIGITS(0))
        snprintf(out, NUMBER_SIZE, sign ? "%+.*g" : "%.*g", NUMBER_DIGITS(0) - decimals, value);
    else
        snprintf(out, NUMBER_SIZE, sign ? "%+.*f" : "%.*f", decimals,
                 number_rounds_to_zero(value, decimals) ? 0 : value);
    return out;
}

const char *number_p(double p, char out[NUMBER_SIZE])
{
    snprintf(out, NUMBER_SIZE, p < 0.001 ? "<0.001" : "%.3f", p);
    return out;
}

const char *number_interval(const struct interval *interval, double unit, int decimals, bool sign,
                            char out[NUMBER_INTERVAL_SIZE])
{
    char low[NUMBER_SIZE], high[NUMBER_SIZE];

    if (isnan(interval->low) || isnan(interval->high))
        return strcpy(out, "-");
    snprintf(out, NUMBER_INTERVAL_SIZE, "[%s, %s]",
             number_print(interval->low / unit, decimals, sign, low),
             number_print(interval->high / unit, decimals, sign, high));
    return out;
}
