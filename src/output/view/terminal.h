/* Properties of the terminal that a stream writes to, and text that fits the terminal. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum terminal_colours { TERMINAL_COLOURS_AUTO, TERMINAL_COLOURS_ALWAYS, TERMINAL_COLOURS_NEVER };

/* Set the user's choice by --wide and --color, for all streams. */
void terminal_choose(bool wide, enum terminal_colours colours);

struct terminal {
    unsigned columns; /* width to use; 80 without a terminal */
    bool colour; /* by --color; by default on a terminal, unless NO_COLOR is set or TERM is dumb */
    bool utf8;   /* the locale is UTF-8; otherwise only ASCII */
};

/* Return the properties for OUT. */
struct terminal terminal_of(FILE *out);

/* Size of the screen that OUT writes to. 0 columns if OUT is not a terminal; 80 columns and 24 rows
 * if the terminal does not report a size. */
struct terminal_screen {
    unsigned columns, rows;
};
struct terminal_screen terminal_screen(FILE *out);

/* Return the maximum length of a line on OUT in characters: COLUMNS from the environment, else the
 * terminal's width but at least 80. UINT_MAX with --wide, and if OUT is not a terminal. */
unsigned terminal_width(FILE *out);

/* As terminal_width(), but 100 without a terminal, unless --wide was given. */
unsigned terminal_narrow(FILE *out);

/* Tone of a text. On a terminal, better and worse texts have colours. */
enum terminal_tone {
    TERMINAL_PLAIN, /* ends a tone */
    TERMINAL_BETTER,
    TERMINAL_MUCH_BETTER,
    TERMINAL_DOUBTFUL,
    TERMINAL_WORSE,
    TERMINAL_MUCH_WORSE,
    TERMINAL_FAINT,
};

/* Return the text that begins TONE on OUT; "" if OUT has no colours. */
const char *terminal_tone(FILE *out, enum terminal_tone tone);

/* Return the number of characters of TEXT, which is UTF-8, without escape sequences. */
unsigned terminal_length(const char *text);

/* Print TEXT, which must be printable (common/printable.h), as lines that fit OUT, broken at
 * spaces. Lines after the first begin with INDENT spaces. */
void terminal_print_wrapped(const char *text, unsigned indent, FILE *out);

/* As terminal_print_wrapped(), with lines of WIDTH. */
void terminal_print_wrapped_to(unsigned width, const char *text, unsigned indent, FILE *out);

/* As terminal_print_wrapped_to(), if the first line already has COLUMN characters. */
void terminal_print_from(unsigned width, unsigned column, const char *text, unsigned indent,
                         FILE *out);
