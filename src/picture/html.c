#include "picture/html.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"
#include "output/view/number.h"

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

static void print_text(FILE *out, const char *text, size_t length)
{
    struct printable_character character;
    char cut[TEXT_SIZE];

    snprintf(cut, sizeof cut, "%.*s", (int)(length < INT_MAX ? length : INT_MAX), text);
    for (const char *at = cut; (character = printable_first(at)).length; at += character.length)
        print_character(out, at, &character);
}

/* Print the next of ARGUMENTS by the conversion after the "%" that is just before AT. Returns the
 * end of the conversion. */
static const char *print_argument(FILE *out, const char *at, va_list *arguments)
{
    const bool sign = *at == '+';
    char *end = (char *)at + sign;
    bool precise = *end == '.', wide;
    int precision = 6;
    char character[2] = "";

    if (precise && end[1] == '*') {
        precision = va_arg(*arguments, int);
        end += 2;
    } else if (precise) {
        precision = (int)strtol(end + 1, &end, 10);
    }
    wide = *end == 'l' || *end == 'z';
    end += wide;
    switch (*end) {
    case 's':
        print_text(out, va_arg(*arguments, const char *),
                   precise && precision >= 0 ? (size_t)precision : SIZE_MAX);
        break;
    case 'c':
        character[0] = (char)va_arg(*arguments, int);
        print_text(out, character, 1);
        break;
    case 'u':
        fprintf(out, "%lu",
                wide ? va_arg(*arguments, unsigned long) : va_arg(*arguments, unsigned));
        break;
    case 'g':
        fprintf(out, "%.*g", precision, va_arg(*arguments, double));
        break;
    case 'f':
        fprintf(out, sign ? "%+.*f" : "%.*f", precision, va_arg(*arguments, double));
        break;
    default:
        fputc('%', out); /* "%%" */
    }
    return end + 1;
}

void html_print(FILE *out, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    while (*format) {
        const size_t plain = strcspn(format, "%");

        fwrite(format, 1, plain, out);
        format += plain;
        if (*format)
            format = print_argument(out, format + 1, &arguments);
    }
    va_end(arguments);
}

void html_number(FILE *out, double value, int decimals)
{
    if (isnan(value))
        fputs("–", out);
    else
        fprintf(out, "%.*f", decimals, number_rounds_to_zero(value, decimals) ? 0 : value);
}
