#include <string.h>

#include "output/view/terminal.h"

/* Return the length in bytes of the tone's escape sequence at TEXT (ECMA-48, 5.4); 0 if none. */
static size_t tone_bytes(const char *text)
{
    return text[0] == '\033' ? strcspn(text, "m") + (strchr(text, 'm') != NULL) : 0;
}

/* Return the number of characters in the first LENGTH bytes of TEXT, without escape sequences. */
static unsigned count_characters(const char *text, size_t length)
{
    unsigned characters = 0;

    for (size_t i = 0, skipped; i < length; i += skipped ? skipped : 1) {
        skipped = tone_bytes(text + i);
        if (skipped == 0)
            characters +=
                /* the byte begins a character (RFC 3629) */
                ((unsigned char)text[i] & 0xc0) != 0x80;
    }
    return characters;
}

unsigned terminal_length(const char *text)
{
    return count_characters(text, strlen(text));
}

void terminal_print_wrapped(const char *text, unsigned indent, FILE *out)
{
    terminal_print_wrapped_to(terminal_width(out), text, indent, out);
}

void terminal_print_wrapped_to(unsigned width, const char *text, unsigned indent, FILE *out)
{
    const unsigned column = (unsigned)strspn(text, " ");

    fprintf(out, "%*s", (int)column, "");
    terminal_print_from(width, column, text + column, indent, out);
}

void terminal_print_from(unsigned width, unsigned column, const char *text, unsigned indent,
                         FILE *out)
{
    bool first = true;

    while (*text) {
        const unsigned spaces = (unsigned)strspn(text, " ");
        const size_t length = strcspn(text + spaces, " ");
        const unsigned characters = count_characters(text + spaces, length);

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
