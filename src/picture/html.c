#include "picture/html.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "common/printable.h"

enum { TEXT_SIZE = 8192 };

static void print_character(FILE *out, const char *at, const struct printable_character *character)
{
    static const struct {
        char character;
        const char *name;
    } names[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"},
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (*at == names[i].character) {
            fputs(names[i].name, out);
            return;
        }
    if (character->harmless)
        fwrite(at, 1, character->length, out);
    else
        fputc('?', out);
}

void html_print(FILE *out, const char *format, ...)
{
    struct printable_character character;
    char text[TEXT_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *at = text; (character = printable_first(at)).length; at += character.length)
        print_character(out, at, &character);
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
