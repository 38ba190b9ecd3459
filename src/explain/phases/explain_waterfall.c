/* Draws the phases of a call as bars to scale, in a terminal. */
#include <math.h>
#include <string.h>

#include "explain/phases/explain.h"
#include "output/view/number.h"

enum {
    COLUMNS_LEAST = 60,
    BAR_MAXIMUM = 160,
    FIGURES = 19,     /* width of the columns to the right of the bars: us and share */
    MARK_COLUMNS = 8, /* width of an axis mark with its label */
    EIGHTHS = 8,      /* parts of a character cell */
};

struct waterfall {
    const struct explanation *explanation;
    const struct terminal *terminal;
    FILE *out;
    int names;          /* width of the longest name */
    unsigned bar;       /* width of the bars */
    double ns_per_cell; /* time per column of the bars */
    const char *cells[BAR_MAXIMUM];
};

struct line {
    const char *name;
    const struct phase_row *row; /* the line's phase; NULL: the line shows no phase */
    struct {
        double begins, length;
    } bars[2]; /* in ns; the second bar may have the length 0 */
    double ns;
    char share[16]; /* share of the lifetime; "": unknown; "overlaps": overlap */
};

enum { LINES_MAXIMUM = PHASE_TYPES + 1, SUMS = 3 };

static const char *kind_name(enum phase_kind kind)
{
    return kind == PHASE_NETWORK_AND_SERVER ? "network and server" : explain_kind_keys[kind];
}

static struct line make_line(const char *name, double ns, double share)
{
    struct line line = {.name = name, .ns = ns};

    if (!isnan(share)) /* print 0 without a sign */
        snprintf(line.share, sizeof line.share, "%.1f %%", fabs(share) < 0.0005 ? 0 : 100 * share);
    return line;
}

/* Set a line for each row, and one for the overlap, if any. Returns the number of lines. */
static size_t find_lines(const struct explanation *explanation, struct line lines[LINES_MAXIMUM])
{
    size_t count = explanation->row_count;
    const struct explain_overlap *overlap = &explanation->overlap;

    for (size_t i = 0; i < count; i++) {
        const struct phase_row *row = &explanation->rows[i];

        lines[i] = make_line(row->type->name, row->adjusted, row->share);
        lines[i].row = row;
        lines[i].bars[0].begins = row->begins;
        lines[i].bars[0].length = row->adjusted - row->second_ns;
        lines[i].bars[1].begins = row->second_begins;
        lines[i].bars[1].length = row->second_ns;
    }
    if (overlap->calls == 0)
        return count;
    lines[count] = (struct line){.name = "send() still runs",
                                 .bars = {{overlap->begins, overlap->latency.mean}},
                                 .ns = overlap->latency.mean,
                                 .share = "overlaps"};
    return count + 1;
}

/* Set the lines below the bars: sum of the phases, lifetime of the call, and their difference. */
static void find_sums(const struct explanation *explanation, struct line sums[SUMS])
{
    double life = explanation->phases->lifetime.mean;

    sums[0] = make_line("sum of the phases", explanation->sum, explanation->sum / life);
    sums[1] = make_line("measured lifetime", life, 1);
    sums[2] = make_line("discrepancy", life - explanation->sum, explanation->discrepancy);
}

static bool has_kind(const struct explanation *explanation, enum phase_kind kind)
{
    for (size_t i = 0; i < explanation->row_count; i++)
        if (explanation->rows[i].type->kind == kind)
            return true;
    return false;
}

/* Return the end of the axis for all bars, ns; above 0. */
static double axis_end(const struct explanation *explanation)
{
    struct line lines[LINES_MAXIMUM];
    size_t count = find_lines(explanation, lines);
    double end = fmax(explanation->phases->lifetime.mean, 1);

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < 2; j++)
            end = fmax(end, lines[i].bars[j].begins + lines[i].bars[j].length);
    return end;
}

/* Return the distance between marks on the axis, ns: 1, 2 or 5 times a power of 10, so that there
 * are at most MARKS marks. */
static double axis_step(double end_ns, unsigned marks)
{
    static const double steps[] = {1, 2, 5, 10};
    double least = end_ns / marks, power = pow(10, floor(log10(least)));
    size_t i = 0;

    while (i < 3 && steps[i] * power < least)
        i++;
    return steps[i] * power;
}

static int longest_name(const struct explanation *explanation)
{
    size_t longest = strlen("us since the start");

    for (size_t i = 0; i < explanation->row_count; i++) {
        size_t length = strlen(explanation->rows[i].type->name);

        longest = length > longest ? length : longest;
    }
    return (int)longest;
}

static void lay_out(struct waterfall *waterfall)
{
    unsigned columns = waterfall->terminal->columns, taken;

    waterfall->names = longest_name(waterfall->explanation);
    columns = columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns;
    taken = 2 + (unsigned)waterfall->names + 1 + FIGURES;
    waterfall->bar = columns - taken < BAR_MAXIMUM ? columns - taken : BAR_MAXIMUM;
    waterfall->ns_per_cell = axis_end(waterfall->explanation) / waterfall->bar;
}

/* Return the terminal colour that is nearest to the colour in pictures. */
static const char *colour_of(enum phase_kind kind)
{
    static const char *const colours[PHASE_KINDS] = {
        [PHASE_CLIENT] = "\033[34m",
        [PHASE_QUEUEING] = "\033[33m",
        [PHASE_NETWORK] = "\033[35m",
        [PHASE_SERVER] = "\033[32m",
        [PHASE_NETWORK_AND_SERVER] = "\033[36m",
    };

    return colours[kind];
}

/* Bars */

static void clear_cells(struct waterfall *waterfall)
{
    for (unsigned i = 0; i < waterfall->bar; i++)
        waterfall->cells[i] = " ";
}

/* Return the character most like a cell that is filled from FROM eighths of its width to its right
 * end. Unicode has few such characters. */
static const char *right_part(unsigned from)
{
    return from < 2 ? "█" : from < 6 ? "▐" : "▕";
}

/* Return the character most like a cell that is filled from FROM to TO eighths of its width. */
static const char *cell_part(unsigned from, unsigned to)
{
    static const char *const left[EIGHTHS + 1] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

    return to == EIGHTHS ? right_part(from) : left[from ? to - from : to];
}

static void draw_eighths(struct waterfall *waterfall, double begins, double length)
{
    double eighth = waterfall->ns_per_cell / EIGHTHS;
    unsigned limit = waterfall->bar * EIGHTHS;
    unsigned begin = (unsigned)fmin(round(begins / eighth), limit - 1);
    unsigned end = (unsigned)fmin(round((begins + length) / eighth), limit);

    end = end > begin ? end : begin + 1;
    for (unsigned i = begin / EIGHTHS; i * EIGHTHS < end; i++) {
        unsigned from = i == begin / EIGHTHS ? begin % EIGHTHS : 0;
        unsigned to = end - i * EIGHTHS < EIGHTHS ? end - i * EIGHTHS : EIGHTHS;

        waterfall->cells[i] = cell_part(from, to);
    }
}

/* Fill the cells from BEGINS for LENGTH, both ns, with GLYPH; at least one cell. */
static void draw_cells(struct waterfall *waterfall, double begins, double length, const char *glyph)
{
    unsigned begin = (unsigned)fmin(round(begins / waterfall->ns_per_cell), waterfall->bar - 1);
    unsigned end =
        (unsigned)fmin(round((begins + length) / waterfall->ns_per_cell), waterfall->bar);

    for (unsigned i = begin; i == begin || i < end; i++)
        waterfall->cells[i] = glyph;
}

static void draw_bar(struct waterfall *waterfall, double begins, double length)
{
    if (waterfall->terminal->utf8)
        draw_eighths(waterfall, begins, length);
    else
        draw_cells(waterfall, begins, length, "#");
}

static void print_line(const struct waterfall *waterfall, const struct line *line,
                       const char *colour)
{
    bool coloured = waterfall->terminal->colour;
    char text[NUMBER_SIZE];

    fprintf(waterfall->out, "  %-*s %s", waterfall->names, line->name, coloured ? colour : "");
    for (unsigned i = 0; i < waterfall->bar; i++)
        fputs(waterfall->cells[i], waterfall->out);
    fprintf(waterfall->out, "%s %9s %8s\n", coloured ? "\033[0m" : "", number_us(line->ns, 9, text),
            line->share);
}

/* Print a line with its bars. Bars and figures of a phase are its contribution to the mean
 * lifetime, so that the phases add up. Bar and figure of the overlap are its mean over the calls
 * with an overlap. */
static void print_bars(struct waterfall *waterfall, const struct line *line)
{
    clear_cells(waterfall);
    if (!line->row)
        draw_cells(waterfall, line->bars[0].begins, line->bars[0].length,
                   waterfall->terminal->utf8 ? "░" : ".");
    for (size_t i = 0; i < 2 && line->row; i++)
        if (i == 0 || line->bars[i].length > 0)
            draw_bar(waterfall, line->bars[i].begins, line->bars[i].length);
    print_line(waterfall, line, line->row ? colour_of(line->row->type->kind) : "\033[2m");
}

/* Axis, legend and sums */

/* Copy TEXT into LINE from column AT on, unless it does not fit. */
static void place_text(char *line, size_t columns, size_t at, const char *text)
{
    size_t length = strlen(text);

    for (size_t i = 0; at + length <= columns && i < length; i++)
        line[at + i] = text[i];
}

static void print_axis(struct waterfall *waterfall)
{
    double end = waterfall->ns_per_cell * waterfall->bar;
    double step = axis_step(end, waterfall->bar / MARK_COLUMNS);
    bool utf8 = waterfall->terminal->utf8;
    char labels[BAR_MAXIMUM + 1], label[NUMBER_SIZE];

    memset(labels, ' ', sizeof labels);
    labels[waterfall->bar] = '\0';
    for (unsigned i = 0; i < waterfall->bar; i++)
        waterfall->cells[i] = utf8 ? "─" : "-";
    for (unsigned mark = 0; mark * step < end; mark++) {
        unsigned cell = (unsigned)(mark * step / waterfall->ns_per_cell);

        snprintf(label, sizeof label, "%g", mark * step / 1000);
        place_text(labels, waterfall->bar, cell, label);
        waterfall->cells[cell] = utf8 ? mark ? "┬" : "┌" : "+";
    }
    fprintf(waterfall->out, "  %-*s %s %9s %8s\n", waterfall->names, "us since the start", labels,
            "mean us", "share");
    fprintf(waterfall->out, "  %*s ", waterfall->names, "");
    for (unsigned i = 0; i < waterfall->bar; i++)
        fputs(waterfall->cells[i], waterfall->out);
    fputc('\n', waterfall->out);
}

static void print_legend(const struct waterfall *waterfall)
{
    const struct explanation *explanation = waterfall->explanation;

    if (!waterfall->terminal->colour)
        return;
    fprintf(waterfall->out, "  %*s", waterfall->names, "");
    for (enum phase_kind kind = 0; kind < PHASE_KINDS; kind++)
        if (has_kind(explanation, kind))
            fprintf(waterfall->out, " %s%s\033[0m %s ", colour_of(kind),
                    waterfall->terminal->utf8 ? "■" : "#", kind_name(kind));
    fputc('\n', waterfall->out);
}

static void print_sums(struct waterfall *waterfall)
{
    struct line sums[SUMS];

    fprintf(waterfall->out, "  %*s ", waterfall->names, "");
    for (unsigned i = 0; i < waterfall->bar; i++)
        fputs(waterfall->terminal->utf8 ? "╌" : "-", waterfall->out);
    fputc('\n', waterfall->out);
    clear_cells(waterfall);
    find_sums(waterfall->explanation, sums);
    for (size_t i = 0; i < SUMS; i++)
        print_line(waterfall, &sums[i], "");
}

void explain_draw_waterfall(const void *explanation, FILE *out)
{
    const struct terminal terminal = terminal_of(out);
    struct waterfall waterfall = {.explanation = explanation, .terminal = &terminal, .out = out};
    struct line lines[LINES_MAXIMUM];
    size_t count = find_lines(explanation, lines);

    lay_out(&waterfall);
    fputc('\n', out);
    print_legend(&waterfall);
    print_axis(&waterfall);
    for (size_t i = 0; i < count; i++)
        print_bars(&waterfall, &lines[i]);
    print_sums(&waterfall);
}
