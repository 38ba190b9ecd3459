#pragma once

#include <stdbool.h>
#include <stdio.h>

enum terminal_colours { TERMINAL_COLOURS_AUTO, TERMINAL_COLOURS_ALWAYS, TERMINAL_COLOURS_NEVER };

/* Set the values of the options --wide and --color, for all streams. */
void terminal_choose(bool wide, enum terminal_colours colours);

struct terminal {
    unsigned columns; /* width to use, in characters; 80 if it is not known */
    /* colours may be used: as --color says; by default if the stream is a terminal, NO_COLOR is
     * unset or empty, and TERM is not "dumb" */
    bool colour;
    bool utf8; /* true if the locale is UTF-8; if false, write only ASCII */
};

struct terminal terminal_of(FILE *out);

/* Size of the terminal that OUT writes to, in characters. Both are 0 if OUT is not a terminal;
 * COLUMNS is 80 and ROWS is 24 if the terminal does not report a size. */
struct terminal_screen {
    unsigned columns, rows;
};
struct terminal_screen terminal_screen(FILE *out);

/* Return the maximum length of a line on OUT in characters: COLUMNS from the environment, or else
 * the terminal's width but at least 80. UINT_MAX with --wide, or if neither is known. */
unsigned terminal_width(FILE *out);

/* Do what terminal_width() does, but return 100 instead of UINT_MAX if neither width is known,
 * unless --wide was given. */
unsigned terminal_narrow(FILE *out);

/* The tone of a text, which is shown as a colour. */
enum terminal_tone {
    TERMINAL_PLAIN, /* no tone; its escape sequence ends another tone */
    TERMINAL_BETTER,
    TERMINAL_MUCH_BETTER,
    TERMINAL_DOUBTFUL,
    TERMINAL_WORSE,
    TERMINAL_MUCH_WORSE,
    TERMINAL_FAINT,
};

/* Return the escape sequence that begins TONE on OUT; "" if OUT has no colours. */
const char *terminal_tone(FILE *out, enum terminal_tone tone);

/* Return the number of characters of TEXT, which is UTF-8, without escape sequences. */
unsigned terminal_length(const char *text);

/* Print TEXT, which must be printable (common/printable.h), as lines that fit OUT. Lines are broken
 * only at spaces, so a line with a very long word does not fit. Lines after the first begin with
 * INDENT spaces. */
void terminal_print_wrapped(const char *text, unsigned indent, FILE *out);

/* Do what terminal_print_wrapped() does, with lines of at most WIDTH characters. */
void terminal_print_wrapped_to(unsigned width, const char *text, unsigned indent, FILE *out);

/* Do what terminal_print_wrapped_to() does, if COLUMN characters are already on the first line. */
void terminal_print_from(unsigned width, unsigned column, const char *text, unsigned indent,
                         FILE *out);
