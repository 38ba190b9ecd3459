/* A character as text for people. */
#include <string.h>

#include "character/character.h"
#include "common/counted.h"
#include "common/printable.h"
#include "output/terminal.h"
#include "version.h"

enum { INDENT = 4, NAME_WIDTH = 28, TEXT_SIZE = PRINTABLE_SIZE + 256 };

/* Most of it is prose: its lines are as long as a terminal's also where there is none. */
static void print_line(const char *line, unsigned indent, FILE *out)
{
    terminal_print_wrapped_to(terminal_of(out).columns, line, indent, out);
}

static void print_heading(const struct character *character, FILE *out)
{
    char line[2 * PRINTABLE_SIZE];

    snprintf(line, sizeof line, "nfsbench %s  character of %s  NFSv3 over %s  %s%s  %.1f s",
             NFSBENCH_VERSION, printable(character->target).text, character->transport,
             counted(character->answer_count, "experiment").text, character->quick ? ", quick" : "",
             character->duration);
    print_line(line, INDENT, out);
    if (!character->scratch)
        return;
    snprintf(line, sizeof line, "without a scratch directory: %s",
             printable(character->scratch).text);
    print_line(line, INDENT, out);
}

/* Print TEXT, which may be anyone's, from column INDENT on. */
static void print_paragraph(const char *label, const char *text, FILE *out)
{
    char line[TEXT_SIZE];

    if (!text[0])
        return;
    snprintf(line, sizeof line, "%*s%s%s", INDENT, "", label, printable(text).text);
    print_line(line, INDENT, out);
}

static void print_detail(const struct character_detail *detail, FILE *out)
{
    char figure[CHARACTER_FIGURE_SIZE], line[TEXT_SIZE];

    character_figure(detail, figure);
    snprintf(line, sizeof line, "%*s%-*s  %s%s%s", INDENT, "", NAME_WIDTH, detail->name, figure,
             figure[0] && detail->text[0] ? "  " : "", printable(detail->text).text);
    print_line(line, INDENT + NAME_WIDTH + 2, out);
}

static void print_answer(const struct character_answer *answer, FILE *out)
{
    char line[TEXT_SIZE];

    snprintf(line, sizeof line, "%s: %s", answer->name, answer->question);
    fputc('\n', out);
    print_line(line, INDENT, out);
    print_paragraph("", answer->text, out);
    for (size_t i = 0; i < answer->detail_count; i++)
        print_detail(&answer->details[i], out);
    print_paragraph("For users: ", answer->meaning, out);
    print_paragraph("Left unknown: ", answer->unknown, out);
}

void character_print(const struct character *character, FILE *out)
{
    print_heading(character, out);
    for (size_t i = 0; i < character->answer_count; i++)
        print_answer(&character->answers[i], out);
    if (character->interrupted)
        fputs("\ninterrupted: the other experiments were not made\n", out);
}
