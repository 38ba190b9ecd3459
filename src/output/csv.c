/* Fields of CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"
#include "output/csv.h"

void csv_write_text(const char *text, FILE *out)
{
    struct printable shown = printable(text);

    fputs(strchr("=+-@", text[0]) && text[0] ? "\"'" : "\"", out);
    for (const char *c = shown.text; *c; c++) {
        if (*c == '"')
            fputc('"', out);
        fputc(*c, out);
    }
    fputc('"', out);
}

void csv_write_number(double value, int digits, FILE *out)
{
    fputc(',', out);
    if (isfinite(value))
        fprintf(out, digits > 0 ? "%.*g" : "%.*f", abs(digits), value);
}

void csv_write_interval(const struct interval *interval, int digits, FILE *out)
{
    csv_write_number(interval->estimate, digits, out);
    csv_write_number(interval->low, digits, out);
    csv_write_number(interval->high, digits, out);
}
