#include "output/terminal.h"

#include <langinfo.h>
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
