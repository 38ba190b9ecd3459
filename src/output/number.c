#include "output/number.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

double number_as_written(double value)
{
    char text[NUMBER_SIZE];

    snprintf(text, sizeof text, "%.*g", NUMBER_WRITTEN_DIGITS, value);
    return strtod(text, NULL);
}

const char *number_grouped(double value, char out[NUMBER_SIZE])
{
    char digits[NUMBER_SIZE];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%.0f", fabs(value));
    size_t used = 0;

    if (value <= -0.5)
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

/* A value that is rounded to 0 has no sign. */
static double without_sign_of_0(double value, int decimals)
{
    return fabs(value) < 0.5 * pow(10, -decimals) ? 0 : value;
}

const char *number_interval(const struct interval *interval, double unit, int decimals, bool sign,
                            char out[NUMBER_INTERVAL_SIZE])
{
    double low = without_sign_of_0(interval->low / unit, decimals);
    double high = without_sign_of_0(interval->high / unit, decimals);

    if (isnan(low) || isnan(high))
        snprintf(out, NUMBER_INTERVAL_SIZE, "-");
    else
        snprintf(out, NUMBER_INTERVAL_SIZE, sign ? "[%+.*f, %+.*f]" : "[%.*f, %.*f]", decimals, low,
                 decimals, high);
    return out;
}
