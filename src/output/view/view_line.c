/* Lines of a view: members in braces, conditions ("How a view's line is written", ../README.md). */
#include <stdlib.h>
#include <string.h>

#include "common/append.h"
#include "common/counted.h"
#include "common/printable.h"
#include "output/view/number.h"
#include "output/view/view.h"

#define PATH_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789_.@-"

/* Parse HOW: [+]DECIMALS, [+]DIGITSg, ",", or the width of a text. */
static bool parse_how(const char *how, struct view_column *column)
{
    char *end;
    const int number = (int)strtol(how, &end, 10);

    column->flags = *how == '+' ? VIEW_SIGNED : 0;
    column->width = number;
    column->decimals = *end == 'g' ? NUMBER_DIGITS(number) : number;
    if (strcmp(how, ",") == 0) {
        column->decimals = VIEW_GROUPED;
        return true;
    }
    return end > how && end[*end == 'g'] == '\0';
}

bool view_member_parse(const char *text, struct view_member *member)
{
    const size_t outer = strspn(text, "^");
    const size_t length = outer + (text[outer] == '#' ? 1 : strspn(text + outer, PATH_CHARACTERS));
    const char *rest = text + length;
    char *end;

    *member = (struct view_member){.how.decimals = VIEW_DIGITS};
    snprintf(member->path, sizeof member->path, "%.*s", (int)length, text);
    if (*rest == '#') {
        member->noun = rest + 1;
        return *member->noun;
    }
    if (*rest == '/') {
        member->how.scale = 1 / strtod(rest + 1, &end);
        if (end == rest + 1)
            return false;
        rest = end;
    }
    member->as_it_is = *rest == '\0';
    return *rest == ':' ? parse_how(rest + 1, &member->how) : member->as_it_is;
}

static bool expand_member(const struct view_row *row, const char *inner, char *out, size_t size)
{
    struct view_member member;
    struct view_cell cell;
    char text[FIELD_ROOM];

    if (!view_member_parse(inner, &member)) { /* a programming error, found by unit/tables */
        fprintf(stderr, "nfsbench: a view has {%s}, which is no member\n", inner);
        abort();
    }
    view_cell(row, member.path, &cell);
    if (cell.type == CELL_NONE)
        return false;
    if (member.as_it_is && cell.exact)
        member.how.decimals = 0;
    if (member.noun)
        snprintf(out, size, "%s%s", number_grouped(cell.number.estimate, text),
                 strchr(counted((uint64_t)cell.number.estimate, member.noun).text, ' '));
    else if (cell.type == CELL_TEXT)
        snprintf(out, size, "%*s", member.how.width, printable(cell.text).text);
    else
        snprintf(out, size, "%s", view_cell_text(&cell, &member.how, text));
    return true;
}

/* Set CELL to the member at PATH, or to the expanded text if PATH has braces. */
static void set_cell(const struct view_row *row, const char *path, struct view_cell *cell)
{
    if (!strchr(path, '{')) {
        view_cell(row, path, cell);
        return;
    }
    *cell = (struct view_cell){.text = cell->room};
    if (view_expand(row, path, cell->room, FIELD_ROOM) && *cell->room)
        cell->type = CELL_TEXT;
}

void view_column_cell(const struct view_row *row, const struct view_column *column,
                      struct view_cell *cell)
{
    set_cell(row, column->path, cell);
    if (!view_holds(row, column->when))
        cell->type = CELL_NONE;
}

/* Return whether the term [!]-v or [!]PATH[=WORD | ~PART | >NUMBER | <NUMBER] holds. */
static bool term_holds(const struct view_row *row, const char *term)
{
    const bool absent = *term == '!';
    const size_t length = strcspn(term += absent, "=~><");
    char path[VIEW_PATH];
    struct view_cell cell;
    bool holds;

    if (strcmp(term, "-v") == 0)
        return row->verbose != absent;
    snprintf(path, sizeof path, "%.*s", (int)length, term);
    set_cell(row, path, &cell);
    if (term[length] == '=')
        holds = cell.type == CELL_TEXT && strcmp(cell.text, term + length + 1) == 0;
    else if (term[length] == '~')
        holds = cell.type == CELL_TEXT && strstr(cell.text, term + length + 1);
    else if (term[length] == '>')
        holds = cell.type == CELL_NUMBER && cell.number.estimate > atof(term + length + 1);
    else if (term[length] == '<')
        holds = cell.type == CELL_NUMBER && cell.number.estimate < atof(term + length + 1);
    else
        holds = cell.type == CELL_TEXT || (cell.type == CELL_NUMBER && cell.number.estimate != 0);
    return holds != absent;
}

/* Evaluates all terms, even if one already decides, so that each wrong path is found. */
bool view_holds(const struct view_row *row, const char *when)
{
    bool all = true, any = false;

    while (when && *when) {
        const size_t length = strcspn(when, " |");
        char term[120];

        snprintf(term, sizeof term, "%.*s", (int)length, when);
        any |= term_holds(row, term);
        when += length;
        if (*when != '|') {
            all &= any;
            any = false;
        }
        when += *when != '\0';
    }
    return all;
}

/* Return the first character END in TEXT that is outside braces, or the end of TEXT. */
static const char *end_of(const char *text, char end)
{
    int depth = 0;

    for (; *text && !(*text == end && depth == 0); text++)
        depth += (*text == '{') - (*text == '}');
    return text;
}

/* Expand A or B of CHOICE, "[(WHEN)]A[|B]", in OUT. Returns false if B is needed and has an unknown
 * member. */
static bool expand_choice(const struct view_row *row, const char *choice, char *out, size_t size)
{
    char when[200] = "", first[1024];
    const char *bar;

    if (*choice == '(') {
        const size_t length = strcspn(choice, ")");

        snprintf(when, sizeof when, "%.*s", (int)length - 1, choice + 1);
        choice += length + 1;
    }
    bar = end_of(choice, '|');
    snprintf(first, sizeof first, "%.*s", (int)(bar - choice), choice);
    if (view_holds(row, when) && view_expand(row, first, out, size))
        return true;
    return view_expand(row, *bar ? bar + 1 : "", out, size);
}

struct joined {
    const char *text, *when;
    char *out;
    size_t size;
};

static void join_row(const struct view_row *row, void *data)
{
    const struct joined *joined = data;
    char text[FIELD_ROOM];

    if (view_holds(row, joined->when) && view_expand(row, joined->text, text, sizeof text))
        append_item(joined->out, joined->size, "%s", text);
}

/* Set OUT to the texts of LIST ("PATH[(WHEN)]|TEXT"), one for each row, joined by commas. Returns
 * false if no row has a text. */
static bool expand_list(const struct view_row *row, const char *list, char *out, size_t size)
{
    const size_t length = strcspn(list, "(|");
    const char *rest = list + length;
    char rows[VIEW_PATH], when[200] = "";
    struct joined joined = {.when = when, .out = out, .size = size};

    snprintf(rows, sizeof rows, "%.*s", (int)length, list);
    if (*rest == '(') {
        snprintf(when, sizeof when, "%.*s", (int)strcspn(rest, ")") - 1, rest + 1);
        rest += strcspn(rest, ")") + 1;
    }
    joined.text = rest + 1;
    view_each(row, rows, join_row, &joined);
    return *out;
}

static bool expand_toned(const struct view_row *row, const char *text, char *out, size_t size)
{
    if (size < 2 || !view_expand(row, text, out + 1, size - 1))
        return false;
    *out = *VIEW_TONE;
    snprintf(out + strlen(out), size - strlen(out), "%s", VIEW_TONE_END);
    return true;
}

static bool expand_inner(const struct view_row *row, const char *inner, char *out, size_t size)
{
    if (*inner == '?')
        return expand_choice(row, inner + 1, out, size);
    if (*inner == '!')
        return expand_toned(row, inner + 1, out, size);
    if (*inner == '*')
        return expand_list(row, inner + 1, out, size);
    return expand_member(row, inner, out, size);
}

bool view_expand(const struct view_row *row, const char *text, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (; *text && used + 1 < size; text++) {
        char inner[1024];
        const char *close = end_of(text + 1, '}');

        if (*text != '{') {
            out[used++] = *text;
            out[used] = '\0';
            continue;
        }
        snprintf(inner, sizeof inner, "%.*s", (int)(close - text - 1), text + 1);
        if (!expand_inner(row, inner, out + used, size - used))
            return false;
        used += strlen(out + used);
        text = close;
    }
    return true;
}

const struct view_line *view_remark(const struct view_row *row, const struct view_line *remarks,
                                    char out[FIELD_ROOM])
{
    for (const struct view_line *remark = remarks; remark && remark->text; remark++)
        if (view_holds(row, remark->when) && view_expand(row, remark->text, out, FIELD_ROOM))
            return *out ? remark : NULL;
    return NULL;
}
