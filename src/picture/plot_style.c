/* Colours, dashes and names, the same in every picture. */
#include <math.h>
#include <string.h>

#include "common/printable.h"
#include "picture/plot_kind.h"

/* Colours that colour-blind readers can distinguish (M. Okabe and K. Ito, "Color Universal Design",
 * 2008), without yellow, which is hard to see on white. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73",
                                      "#cc79a7", "#e69f00", "#56b4e9"};

enum {
    COLOURS = sizeof colours / sizeof colours[0],
    TEXT_MAXIMUM = 40, /* bytes of a name: there is no room for more */
};

const char *plot_colour(size_t index)
{
    return colours[index % COLOURS];
}

static const char *dash_of(size_t index)
{
    static const char *const dashes[] = {"1", "(14,4)", "(4,3)", "(14,4,3,4)", "(14,3,3,3,3,3)"};

    return dashes[index % (sizeof dashes / sizeof dashes[0])];
}

int plot_point(size_t index)
{
    static const int points[] = {7, 5, 9, 13, 11, 6, 4, 8, 12, 10};

    return points[index % (sizeof points / sizeof points[0])];
}

/* An op's position in this list determines its style; ops that are often measured together are
 * neighbours. Add new ones at the end, so that the others keep their styles. */
static const char *const places[] = {
    "getattr",
    "read",
    "lookup",
    "write",
    "access",
    "readdirplus",
    "create",
    "remove",
    "readdir",
    "setattr",
    "readlink",
    "rename",
    "commit",
    "mkdir",
    "rmdir",
    "symlink",
    "link",
    "mknod",
    "fsstat",
    "fsinfo",
    "pathconf",
    "write-data-sync",
    "write-file-sync",
    "create-guarded",
    "create-exclusive",
    "mount-null",
    "mount-mnt",
    "mount-dump",
    "mount-umnt",
    "mount-umntall",
    "mount-export",
    "portmap-null",
    "mix",
};

static size_t place_of(const char *op)
{
    size_t place = 0;

    while (place < sizeof places / sizeof places[0] && strcmp(places[place], op) != 0)
        place++;
    return place;
}

struct plot_style plot_style_of(const char *op)
{
    static const int fillings[] = {5, 3, 4, 2, 6, 1, 7};
    size_t place = place_of(op);

    if (strcmp(op, "null_control") == 0)
        return (struct plot_style){"#909090", dash_of(1), 1, 6, 2};
    if (strcmp(op, "null") == 0)
        return (struct plot_style){"#404040", dash_of(0), 2, 3, 1};
    return (struct plot_style){.colour = colours[place % COLOURS],
                               .dash = dash_of(place + 1),
                               .point = plot_point(place),
                               .filling = fillings[place % (sizeof fillings / sizeof fillings[0])],
                               .line = (int)place + 2};
}

static bool is_harmless(const struct printable_character *character)
{
    uint32_t c = character->code;

    return character->harmless && (c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                                   (c >= 'A' && c <= 'Z') || strchr(" _-.,:/+()=#", (int)c));
}

const char *plot_text(const char *text, char out[PLOT_TEXT_SIZE])
{
    struct printable_character character;
    size_t read = 0, written = 0;

    while ((character = printable_first(text + read)).length &&
           read + character.length <= TEXT_MAXIMUM) {
        size_t length = is_harmless(&character) ? character.length : 1;

        memcpy(out + written, is_harmless(&character) ? text + read : "?", length);
        read += character.length;
        written += length;
    }
    out[written] = '\0';
    return out;
}

void plot_file_label(const struct result_set *set, size_t file, char out[PLOT_TEXT_SIZE + 8])
{
    const char *path = set->results[file]->path, *slash = strrchr(path, '/');
    char name[PLOT_TEXT_SIZE];

    snprintf(out, PLOT_TEXT_SIZE + 8, "%c  %s", result_set_letter(file),
             plot_text(slash && slash[1] ? slash + 1 : path, name));
}

void plot_key_rows(size_t rows, FILE *out)
{
    fprintf(out, "set bmargin %zu\n", rows + 4);
}

/* File names are longer than op names, so fewer fit side by side. */
void plot_curve_key(const struct result_set *set, size_t count, FILE *out)
{
    size_t columns = set->count == 1 ? 3 : 1;

    fprintf(out, "set key maxcols %zu\n", columns);
    plot_key_rows((count + columns - 1) / columns, out);
}

/* The longer the axis, the fewer labels per decade. */
void plot_log_tics(const char *axis, double low, double high, FILE *out)
{
    static const double many[] = {1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9}, some[] = {1, 2, 5}, one[] = {1};
    const double *steps = high < 8 * low ? many : high < 800 * low ? some : one;
    size_t count = steps == many ? 10 : steps == some ? 3 : 1;
    const char *separator = "";

    fprintf(out, "set %stics (", axis);
    for (double power = pow(10, floor(log10(low))); power <= high; power *= 10)
        for (size_t i = 0; i < count; i++)
            if (power * steps[i] >= low && power * steps[i] <= high) {
                fprintf(out, "%s'%.6g' %g", separator, power * steps[i], power * steps[i]);
                separator = ", ";
            }
    fputs(")\n", out);
}

/* Curves */

static bool has_histogram(const struct result_set *set, size_t op)
{
    for (size_t i = 0; i < set->count; i++)
        if (!result_set_op(set, i, op)->histogram)
            return false;
    return true;
}

/* The INDEX-th op of the set that has a histogram in every file; OP_COUNT after the last. */
static size_t drawn_op(const struct result_set *set, size_t index)
{
    for (size_t i = 0; i < set->op_count; i++)
        if (has_histogram(set, i) && index-- == 0)
            return i;
    return set->op_count;
}

static size_t count_drawn(const struct result_set *set)
{
    size_t count = 0;

    while (drawn_op(set, count) < set->op_count)
        count++;
    return count;
}

size_t plot_curve_panels(const struct result_set *set)
{
    size_t ops = count_drawn(set);

    return ops && set->count == 1 ? 1 : ops < PLOT_CURVES ? ops : PLOT_CURVES;
}

size_t plot_curves(const struct result_set *set, size_t panel,
                   struct plot_curve curves[RESULT_SET_FILES])
{
    bool one_file = set->count == 1;
    size_t ops = count_drawn(set), count = one_file ? ops : set->count;
    char name[PLOT_TEXT_SIZE];

    if (one_file && count > PLOT_CURVES)
        count = PLOT_CURVES;
    for (size_t i = 0; i < count; i++) {
        struct plot_curve *curve = &curves[i];

        curve->op = result_set_op(set, one_file ? 0 : i, drawn_op(set, one_file ? i : panel));
        curve->style = plot_style_of(curve->op->op);
        curve->style.line = (int)i + 1; /* each its own character */
        if (one_file) {
            snprintf(curve->label, sizeof curve->label, "%s", plot_text(curve->op->op, name));
            continue;
        }
        plot_file_label(set, i, curve->label);
        curve->style.dash = dash_of(i);
        curve->style.filling = (int)(i + 2) % 7 + 1;
    }
    return count;
}

/* "host:/export, 2026-11-22, verdict ok"; of several files: "A ok, B suspect". */
static void print_subtitle(const struct result_set *set, FILE *out)
{
    const struct result *first = set->results[0];
    char text[PLOT_TEXT_SIZE];

    fprintf(out, "%s, ", plot_text(first->target.text ? first->target.text : "?", text));
    fprintf(out, "%.10s, verdict ", plot_text(first->start ? first->start : "?", text));
    for (size_t i = 0; i < set->count; i++) {
        if (set->count > 1)
            fprintf(out, "%s%c ", i ? ", " : "", result_set_letter(i));
        fputs(verdict_name(set->results[i]->validity.verdict), out);
    }
}

void plot_title(const struct result_set *set, const char *what, FILE *out)
{
    fprintf(out, "set title '%s'.(PAGE ? '' : \"\\n\".'", what);
    print_subtitle(set, out);
    fputs("')\n", out);
}

void plot_curve_title(const struct result_set *set, size_t panel, const char *what, FILE *out)
{
    size_t ops = count_drawn(set);
    char name[PLOT_TEXT_SIZE], title[2 * PLOT_TEXT_SIZE];

    if (set->count > 1)
        snprintf(title, sizeof title, "%s: %s", plot_text(set->ops[drawn_op(set, panel)], name),
                 what);
    else if (ops > PLOT_CURVES)
        snprintf(title, sizeof title, "%s (%d of %zu ops; --op chooses)", what, PLOT_CURVES, ops);
    else
        snprintf(title, sizeof title, "%s", what);
    plot_title(set, title, out);
}

void plot_curve_commands(const struct plot_curve *curves, size_t count, const char *using_and_with,
                         FILE *out)
{
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s $curve%zu %s lt %d lc rgb '%s' dt %s title '%s'", i ? ",\\\n    " : "plot",
                i, using_and_with, curves[i].style.line, curves[i].style.colour,
                curves[i].style.dash, curves[i].label);
    fputc('\n', out);
}
