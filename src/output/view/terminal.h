/* What the other end of a stream can show, and text for people that fits it. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum terminal_colours { TERMINAL_COLOURS_AUTO, TERMINAL_COLOURS_ALWAYS, TERMINAL_COLOURS_NEVER };

/* What the user asked for, by --wide and --color; it holds for all streams from then on. */
void terminal_choose(bool wide, enum terminal_colours colours);

struct terminal {
    unsigned columns; /* to fill; 80 where there is no terminal */
    bool colour;      /* as --color says; else a terminal, but not where NO_COLOR is set, or TERM is
                         dumb */
    bool utf8;        /* by the locale: else only ASCII */
};

/* Find out for OUT. */
struct terminal terminal_of(FILE *out);

/* The screen that OUT is on, as it is. 0 columns: it is on none; a terminal that does not say has
 * 80, and 24 rows. */
struct terminal_screen {
    unsigned columns, rows;
};
struct terminal_screen terminal_screen(FILE *out);

/* How many characters a line on OUT may have: what the environment's COLUMNS says, else as many as
 * a terminal has, 80 at least; UINT_MAX without a terminal, since programs take what they need, and
 * with --wide. */
unsigned terminal_width(FILE *out);

/* The same, but 100 without a terminal, unless --wide was chosen. */
unsigned terminal_narrow(FILE *out);

/* How something is printed; on a terminal, the better and the worse have a colour. */
enum terminal_tone {
    TERMINAL_PLAIN, /* ends the others */
    TERMINAL_BETTER,
    TERMINAL_MUCH_BETTER,
    TERMINAL_DOUBTFUL,
    TERMINAL_WORSE,
    TERMINAL_MUCH_WORSE,
    TERMINAL_FAINT,
};

/* What begins TONE on OUT; "" where that has no colours. */
const char *terminal_tone(FILE *out, enum terminal_tone tone);

/* The characters of TEXT, which is UTF-8, without what makes tones of them. */
unsigned terminal_length(const char *text);

/* TEXT, which is harmless (common/printable.h), as lines of that width, broken at spaces; all but
 * the first begin with INDENT spaces. */
void terminal_print_wrapped(const char *text, unsigned indent, FILE *out);

/* The same as lines of WIDTH. */
void terminal_print_wrapped_to(unsigned width, const char *text, unsigned indent, FILE *out);

/* The same where the first line has COLUMN characters already. */
void terminal_print_from(unsigned width, unsigned column, const char *text, unsigned indent,
                         FILE *out);
