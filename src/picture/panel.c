#include "picture/panel.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BREAK   "'.\"\\n\".'" /* for gnuplot: a line break in a string in single quotes */
#define MICROSECONDS "\u00b5s"

int panel_open(struct panel *panel)
{
    *panel = (struct panel){.unit = 1000, .unit_name = MICROSECONDS, .key_columns = 1};
    panel->out = open_memstream(&panel->texts[0].data, &panel->texts[0].length);
    panel->drawn = open_memstream(&panel->texts[1].data, &panel->texts[1].length);
    return panel->out && panel->drawn ? 0 : -errno;
}

void panel_close(struct panel *panel)
{
    if (panel->out)
        fclose(panel->out);
    if (panel->drawn)
        fclose(panel->drawn);
    free(panel->texts[0].data);
    free(panel->texts[1].data);
}

static void end_block(struct panel *panel)
{
    if (panel->begun)
        fputs("END\n", panel->out);
    panel->begun = false;
}

/* Print to OUT the FORMAT and the arguments of the function that uses this macro. */
#define PRINT_ARGUMENTS(out, format)                                                               \
    do {                                                                                           \
        va_list arguments;                                                                         \
                                                                                                   \
        va_start(arguments, format);                                                               \
        vfprintf(out, format, arguments);                                                          \
        va_end(arguments);                                                                         \
    } while (0)

void panel_set(struct panel *panel, const char *format, ...)
{
    end_block(panel);
    fputs("set ", panel->out);
    PRINT_ARGUMENTS(panel->out, format);
    fputc('\n', panel->out);
}

static void print_load(const struct load *load, uint32_t read_size, FILE *out)
{
    if (read_size)
        fprintf(out, ", READ of %u bytes", read_size);
    if (load->clients > 1)
        fprintf(out, ", %u clients", load->clients);
    if (load->depth > 1)
        fprintf(out, ", depth %u", load->depth);
}

/* Print "host:/export, TCP, READ of 4096 bytes, depth 4", and below it "on client, 2026-11-22,
 * verdict ok". If results have different verdicts, print "verdict A ok, B suspect". */
static void print_subtitle(const struct result_set *set, FILE *out)
{
    const struct result *first = set->results[0];
    char text[PANEL_TEXT_SIZE];
    bool alike = true;

    fputs(plot_text(first->target.text ? first->target.text : "?", text), out);
    if (first->target.transport)
        fprintf(out, ", %s", plot_text(first->target.transport, text));
    print_load(&first->config.load, first->config.read_size, out);
    fputs(LINE_BREAK, out);
    if (first->host.name)
        fprintf(out, "on %s, ", plot_text(first->host.name, text));
    if (first->start && *first->start)
        fprintf(out, "%.10s, ", plot_text(first->start, text));
    fputs("verdict ", out);
    for (size_t i = 0; i < set->count; i++)
        alike = alike && set->results[i]->validity.verdict == first->validity.verdict;
    for (size_t i = 0; i < (alike ? 1 : set->count); i++) {
        if (!alike)
            fprintf(out, "%s%c ", i ? ", " : "", result_set_letter(i));
        fputs(verdict_name(set->results[i]->validity.verdict), out);
    }
}

void panel_title(struct panel *panel, const struct result_set *set, const char *format, ...)
{
    end_block(panel);
    fputs("set title '", panel->out);
    PRINT_ARGUMENTS(panel->out, format);
    fputs("'.(PAGE ? '' : '" LINE_BREAK, panel->out);
    print_subtitle(set, panel->out);
    fputs("')\n", panel->out);
}

/* Units of times. The microsecond is gnuplot's variable US: "us" on terminals, else "µs". */

static const struct {
    double ns;
    const char *name;
} units[] = {{1, "ns"}, {1e3, "'.US.'"}, {1e6, "ms"}, {1e9, "s"}};

static size_t unit_of(double ns)
{
    size_t i = sizeof units / sizeof units[0] - 1;

    while (i > 0 && fabs(ns) < units[i].ns)
        i--;
    return i;
}

void panel_unit(struct panel *panel, double largest)
{
    const size_t i = unit_of(largest);

    panel->unit = units[i].ns;
    panel->unit_name = i == 1 ? MICROSECONDS : units[i].name;
    end_block(panel);
    fprintf(panel->out, "UNIT = '%s'\n", units[i].name);
}

double panel_farthest(const struct interval *value)
{
    return fmax(fabs(value->estimate), fmax(fabs(value->low), fabs(value->high)));
}

/* Absolute values below 0.5 ns become 0, so that rounding noise around 0 shows no sign. */
double panel_time(const struct panel *panel, double ns)
{
    return fabs(ns) < 0.5 ? 0 : ns / panel->unit;
}

/* Return VALUE, with its estimate in place of each end that is missing (NAN or infinite). */
static struct interval with_ends(const struct interval *value)
{
    return (struct interval){value->estimate, isfinite(value->low) ? value->low : value->estimate,
                             isfinite(value->high) ? value->high : value->estimate};
}

struct interval panel_times(const struct panel *panel, double base, const struct interval *value)
{
    const struct interval all = with_ends(value);

    return (struct interval){panel_time(panel, base + all.estimate),
                             panel_time(panel, base + all.low), panel_time(panel, base + all.high)};
}

const char *panel_duration(double ns, char out[PANEL_TEXT_SIZE])
{
    const size_t i = unit_of(ns);
    const double value = ns / units[i].ns;

    snprintf(out, PANEL_TEXT_SIZE, fabs(value) < 100 ? "%.3g %s" : "%.0f %s", value, units[i].name);
    return out;
}

/* The more decades the axis has, the fewer labels each of them gets. */
void panel_log_tics(struct panel *panel, const char *axis, double low, double high, bool times)
{
    static const double many[] = {1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9}, some[] = {1, 2, 5}, one[] = {1};
    const double *steps = high < 8 * low ? many : high < 800 * low ? some : one;
    size_t count = steps == many ? 10 : steps == some ? 3 : 1;
    char label[PANEL_TEXT_SIZE];
    const char *separator = "";

    end_block(panel);
    fprintf(panel->out, "set %stics (", axis);
    for (double power = pow(10, floor(log10(low))); low > 0 && power <= high; power *= 10)
        for (size_t i = 0; i < count; i++) {
            const double value = power * steps[i];

            if (value < low || value > high)
                continue;
            snprintf(label, sizeof label, "%.6g", value);
            fprintf(panel->out, "%s'%s' %g", separator,
                    times ? panel_duration(value * panel->unit, label) : label, value);
            separator = ", ";
        }
    fputs(")\n", panel->out);
}

void panel_block(struct panel *panel)
{
    end_block(panel);
    panel->blocks++;
    panel->rows = 0;
}

static void begin_row(struct panel *panel)
{
    if (panel->rows++ == 0)
        fprintf(panel->out, "$data%zu << END\n", panel->blocks);
    panel->begun = true;
}

void panel_row(struct panel *panel, const char *format, ...)
{
    begin_row(panel);
    PRINT_ARGUMENTS(panel->out, format);
    fputc('\n', panel->out);
}

static void separate(struct panel *panel)
{
    if (ftell(panel->drawn) > 0)
        fputs(",\\\n    ", panel->drawn);
}

static void end_drawing(struct panel *panel, const char *title)
{
    panel->keys += title != NULL;
    if (title)
        fprintf(panel->drawn, " title '%s'", title);
    else
        fputs(" notitle", panel->drawn);
}

static void begin_drawing(struct panel *panel)
{
    end_block(panel);
    separate(panel);
    fprintf(panel->drawn, "$data%zu ", panel->blocks);
}

void panel_draw(struct panel *panel, const char *title, const char *format, ...)
{
    if (panel->rows == 0)
        return;
    begin_drawing(panel);
    PRINT_ARGUMENTS(panel->drawn, format);
    end_drawing(panel, title);
}

void panel_key(struct panel *panel, const char *title, const char *format, ...)
{
    separate(panel);
    fputs("keyentry with ", panel->drawn);
    PRINT_ARGUMENTS(panel->drawn, format);
    end_drawing(panel, title);
}

void panel_key_inside(struct panel *panel, const char *corner)
{
    panel->key_columns = 0;
    panel_set(panel, "key %s inside vertical", corner);
}

void panel_name_row(struct panel *panel, double place, const struct result_set *set, size_t file,
                    const char *name)
{
    char text[PANEL_TEXT_SIZE], letter[4] = "";
    size_t length;

    /* gnuplot's own labels are replaced by the names of rows, which are added below */
    if (panel->longest == 0)
        panel_set(panel, "ytics ('' -9) scale 0 nomirror");
    if (set->file_count > 1 && file < set->file_count)
        snprintf(letter, sizeof letter, "%c  ", result_set_letter(file));
    length = strlen(plot_text(name, text)) + strlen(letter);
    panel->longest = length > panel->longest ? length : panel->longest;
    panel_set(panel, "ytics add ('%s%s' %g)", letter, text, place);
}

void panel_time_axis(struct panel *panel, const char *what, const char *from)
{
    panel_set(panel, "xlabel '%s ('.UNIT.')'", what);
    panel_set(panel, "xrange [%s:*]", from);
    panel_set(panel, "offsets 0, graph 0.12, 0, 0");
}

/* Draw a hint for each line of the last block: a text that appears under a mouse pointer. Columns X
 * and Y are the hint's position, column NUMBER is its text. */
static void draw_hints(struct panel *panel, int x, int y, int number)
{
    panel_draw(panel, NULL,
               "using %d:%d:%d with labels hypertext point pt 7 ps 1 lc rgb '#ff000000'", x, y,
               number);
}

void panel_point(struct panel *panel, double place, const struct interval *value, double reach,
                 const char *format, ...)
{
    const struct interval all = with_ends(value);

    begin_row(panel);
    fprintf(panel->out, "%.8g %g %.8g %.8g %.8g \"%.4g [%.4g, %.4g]\" ", all.estimate, place,
            all.low, all.high, fmax(all.high, reach), all.estimate, all.low, all.high);
    PRINT_ARGUMENTS(panel->out, format);
    fputc('\n', panel->out);
}

void panel_draw_points(struct panel *panel, const char *title, const char *format, ...)
{
    if (panel->rows == 0)
        return;
    begin_drawing(panel);
    fputs("using 1:2:3:4 with xerrorbars ", panel->drawn);
    PRINT_ARGUMENTS(panel->drawn, format);
    end_drawing(panel, title);
    panel_draw(panel, NULL, "using 5:2:7 with labels left offset 1,0");
    draw_hints(panel, 1, 2, 6);
}

void panel_value(struct panel *panel, double x, const struct interval *value, const char *label)
{
    const struct interval all = with_ends(value);
    const double estimate = all.estimate / panel->unit, low = all.low / panel->unit,
                 high = all.high / panel->unit;

    panel_row(panel, "%.10g %.8g %.8g %.8g \"%s: %.4g [%.4g, %.4g] %s\"", x, estimate, low, high,
              label, estimate, low, high, panel->unit_name);
}

void panel_draw_values(struct panel *panel, const char *title, const char *format, ...)
{
    if (panel->rows == 0)
        return;
    begin_drawing(panel);
    fputs("using 1:2:3:4 with yerrorbars ", panel->drawn);
    PRINT_ARGUMENTS(panel->drawn, format);
    end_drawing(panel, title);
    draw_hints(panel, 1, 2, 5);
}

void panel_bar(struct panel *panel, double place, double begin, double end, unsigned colour)
{
    panel_row(panel, "%.8g %.8g %g %u", panel_time(panel, fmin(begin, end)),
              panel_time(panel, fmax(begin, end)), place, colour);
}

void panel_draw_bars(struct panel *panel, double half, const char *filling, const char *title,
                     unsigned colour)
{
    panel_draw(panel, NULL,
               "using 1:3:1:2:($3-%g):($3+%g):4 with boxxyerror fs %s lt %zu lc rgb variable", half,
               half, filling, panel->blocks + 1);
    if (title)
        panel_key(panel, title, "boxes fs %s lt %zu lc rgb '#%06x'", filling, panel->blocks,
                  colour);
}

void panel_key_files(struct panel *panel, const struct result_set *set)
{
    char label[PANEL_LABEL_SIZE];

    for (size_t i = 0; set->file_count > 1 && i < set->file_count; i++)
        panel_key(panel, plot_file_label(set, i, label), "points pt -1");
}
