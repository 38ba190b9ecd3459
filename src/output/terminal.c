#include "output/terminal.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS_USUAL = 80 };

/* By the environment; the program's own locale stays as it is. */
static bool is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", NULL);
    bool utf8 = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;

    if (locale)
        freelocale(locale);
    return utf8;
}

struct terminal terminal_of(FILE *out)
{
    struct terminal terminal = {
        .columns = COLUMNS_USUAL,
        .colour = isatty(fileno(out)) && !getenv("NO_COLOR"),
        .utf8 = is_utf8(),
    };
    struct winsize size;

    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        terminal.columns = size.ws_col;
    return terminal;
}

unsigned terminal_width(FILE *out)
{
    const char *columns = getenv("COLUMNS");
    const unsigned wanted = columns ? (unsigned)strtoul(columns, NULL, 10) : 0;
    struct winsize size;

    if (wanted > 0)
        return wanted;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col < COLUMNS_USUAL ? COLUMNS_USUAL : size.ws_col;
    return UINT_MAX;
}

/* The length of the word at TEXT, and how many characters it is. */
static size_t measure_word(const char *text, unsigned *characters)
{
    const size_t length = strcspn(text, " ");

    *characters = 0;
    for (size_t i = 0; i < length; i++)
        *characters += ((unsigned char)text[i] & 0xc0) != 0x80; /* begins a character (RFC 3629) */
    return length;
}

void terminal_print_wrapped(const char *text, unsigned indent, FILE *out)
{
    const unsigned width = terminal_width(out);
    unsigned column = (unsigned)strspn(text, " ");
    bool first = true;

    fprintf(out, "%*s", (int)column, "");
    text += column;
    while (*text) {
        const unsigned spaces = (unsigned)strspn(text, " ");
        unsigned characters;
        const size_t length = measure_word(text + spaces, &characters);

        if (!first && column + spaces + characters > width) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else {
            fprintf(out, "%*s", (int)spaces, "");
            column += spaces;
        }
        fwrite(text + spaces, 1, length, out);
        column += characters;
        text += spaces + length;
        first = false;
    }
    fputc('\n', out);
}
