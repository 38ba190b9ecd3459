#include "output/view/terminal.h"

#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { COLUMNS_USUAL = 80, ROWS_USUAL = 24, COLUMNS_NARROW = 100 };

/* Return whether the user's locale is UTF-8, without changing the program's locale. */
static bool is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", NULL);
    bool utf8 = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;

    if (locale)
        freelocale(locale);
    return utf8;
}

static struct {
    bool wide;
    enum terminal_colours colours;
} chosen;

void terminal_choose(bool wide, enum terminal_colours colours)
{
    chosen.wide = wide;
    chosen.colours = colours;
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value && *value;
}

static bool has_colours(int descriptor)
{
    const char *type = getenv("TERM");

    if (chosen.colours != TERMINAL_COLOURS_AUTO)
        return chosen.colours == TERMINAL_COLOURS_ALWAYS;
    return isatty(descriptor) && !is_set("NO_COLOR") && !(type && strcmp(type, "dumb") == 0);
}

struct terminal_screen terminal_screen(FILE *out)
{
    struct winsize size;

    if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0)
        return (struct terminal_screen){0, 0};
    return size.ws_col && size.ws_row ? (struct terminal_screen){size.ws_col, size.ws_row}
                                      : (struct terminal_screen){COLUMNS_USUAL, ROWS_USUAL};
}

/* Return COLUMNS from the environment, else the terminal's width but at least 80; 0 if unknown. */
static unsigned columns_known(FILE *out)
{
    const char *columns = getenv("COLUMNS");
    const unsigned wanted = columns ? (unsigned)strtoul(columns, NULL, 10) : 0;
    const unsigned has = terminal_screen(out).columns;

    if (wanted > 0)
        return wanted;
    return has > 0 && has < COLUMNS_USUAL ? COLUMNS_USUAL : has;
}

struct terminal terminal_of(FILE *out)
{
    const unsigned columns = columns_known(out);

    return (struct terminal){
        .columns = columns ? columns : COLUMNS_USUAL,
        .colour = has_colours(fileno(out)),
        .utf8 = is_utf8(),
    };
}

unsigned terminal_width(FILE *out)
{
    const unsigned columns = columns_known(out);

    return columns == 0 || chosen.wide ? UINT_MAX : columns;
}

unsigned terminal_narrow(FILE *out)
{
    return columns_known(out) == 0 && !chosen.wide ? COLUMNS_NARROW : terminal_width(out);
}

const char *terminal_tone(FILE *out, enum terminal_tone tone)
{
    static const char *const tones[] = {
        [TERMINAL_PLAIN] = "\033[0m",          [TERMINAL_BETTER] = "\033[32m",
        [TERMINAL_MUCH_BETTER] = "\033[1;32m", [TERMINAL_DOUBTFUL] = "\033[33m",
        [TERMINAL_WORSE] = "\033[31m",         [TERMINAL_MUCH_WORSE] = "\033[1;31m",
        [TERMINAL_FAINT] = "\033[2m",
    };

    return has_colours(fileno(out)) ? tones[tone] : "";
}
