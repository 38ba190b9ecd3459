#include "output/html.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { TEXT_SIZE = 8192 };

static void print_character(FILE *out, unsigned char c, int utf8)
{
    static const struct {
        char character;
        const char *name;
    } names[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"},
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (c == (unsigned char)names[i].character) {
            fputs(names[i].name, out);
            return;
        }
    fputc(c < 0x20 || c == 0x7f || (c >= 0x80 && !utf8) ? '?' : c, out);
}

void html_print(FILE *out, const char *format, ...)
{
    char text[TEXT_SIZE];
    va_list arguments;
    json_t *checked; /* NULL where it is no UTF-8 */

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    checked = json_string(text);
    for (const char *c = text; *c; c++)
        print_character(out, (unsigned char)*c, checked != NULL);
    json_decref(checked);
}

void html_count(FILE *out, double count)
{
    char digits[32];
    int length;

    if (isnan(count) || fabs(count) >= 1e18) {
        html_number(out, NAN, 0);
        return;
    }
    length = snprintf(digits, sizeof digits, "%.0f", fabs(count));
    if (count < 0)
        fputc('-', out);
    for (int i = 0; i < length; i++)
        fprintf(out, "%s%c", i && (length - i) % 3 == 0 ? "," : "", digits[i]);
}

void html_number(FILE *out, double value, int decimals)
{
    if (isnan(value))
        fputs("–", out);
    else
        fprintf(out, "%.*f", decimals, fabs(value) < 0.5 * pow(10, -decimals) ? 0 : value);
}
