#include "output/number.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

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
    double us = fabs(nanoseconds) < 0.5 ? 0 : nanoseconds / 1000;
    int decimals = 3;

    if (isnan(nanoseconds)) {
        snprintf(out, NUMBER_SIZE, "-");
        return out;
    }
    while (snprintf(out, NUMBER_SIZE, "%.*f", decimals, us) > width && decimals > 0)
        decimals--;
    return out;
}
