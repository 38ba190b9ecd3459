/* Lines of text that fit what shows them. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "output/terminal.h"

enum { CONTINUED = 4 /* spaces further in than the line's first ones */ };

/* The bytes of the escape sequence at TEXT, which sets a tone (ECMA-48, 5.4); 0: there is none. */
static size_t tone_bytes(const char *text)
{
    return text[0] == '\033' ? strcspn(text, "m") + (strchr(text, 'm') != NULL) : 0;
}

/* Of the LENGTH bytes of TEXT. */
static unsigned count_characters(const char *text, size_t length)
{
    unsigned characters = 0;

    for (size_t i = 0, skipped; i < length; i += skipped ? skipped : 1) {
        skipped = tone_bytes(text + i);
        if (skipped == 0)
            characters += ((unsigned char)text[i] & 0xc0) != 0x80; /* begins one (RFC 3629) */
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
    unsigned column = (unsigned)strspn(text, " ");
    bool first = true;

    fprintf(out, "%*s", (int)column, "");
    text += column;
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

/* The stream */

static struct {
    FILE *text, *out;
} open_text;

FILE *terminal_beneath(FILE *out)
{
    return out && out == open_text.text ? open_text.out : out;
}

struct lines {
    FILE *out;
    char *line; /* the present one, as far as it is written */
    size_t length, room;
};

static void print_line(struct lines *lines)
{
    char *line = lines->line;

    line[lines->length] = '\0';
    lines->length = 0;
    if (terminal_length(line) > terminal_width(lines->out))
        terminal_print_wrapped(line, (unsigned)strspn(line, " ") + CONTINUED, lines->out);
    else
        fprintf(lines->out, "%s\n", line);
}

static int make_room(struct lines *lines, size_t more)
{
    const size_t room = lines->length + more + 1; /* with the 0 after it */
    char *line;

    if (room <= lines->room)
        return 0;
    line = realloc(lines->line, 2 * room);
    if (!line)
        return -1;
    lines->line = line;
    lines->room = 2 * room;
    return 0;
}

static ssize_t write_lines(void *cookie, const char *text, size_t size)
{
    struct lines *lines = cookie;

    if (make_room(lines, size) != 0)
        return 0; /* which is an error to stdio */
    for (size_t i = 0; i < size; i++)
        if (text[i] == '\n')
            print_line(lines);
        else
            lines->line[lines->length++] = text[i];
    return (ssize_t)size;
}

/* What lacks its end goes out as it is. */
static int close_lines(void *cookie)
{
    struct lines *lines = cookie;

    if (lines->length > 0)
        fwrite(lines->line, 1, lines->length, lines->out);
    free(lines->line);
    free(lines);
    return 0;
}

FILE *terminal_begin_text(FILE *out)
{
    const cookie_io_functions_t functions = {.write = write_lines, .close = close_lines};
    struct lines *lines;
    FILE *text;

    if (terminal_width(out) == UINT_MAX)
        return out;
    lines = calloc(1, sizeof *lines);
    text = lines ? fopencookie(lines, "w", functions) : NULL;
    if (!text) {
        free(lines);
        return out;
    }
    lines->out = out;
    open_text.text = text;
    open_text.out = out;
    return text;
}

void terminal_end_text(FILE *text)
{
    if (terminal_beneath(text) == text)
        return;
    open_text.text = open_text.out = NULL;
    fclose(text);
}
