/* The phases of a call as bars to scale, in a self-contained picture: it adapts to a dark page, and
 * viewers show each phase's meaning under the pointer. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "explain/explain.h"
#include "output/form.h"
#include "output/number.h"
#include "picture/html.h"
#include "picture/panel.h"
#include "version.h"

/* In px. */
enum {
    WIDTH = 960,
    LEFT = 28,
    BARS = 212,     /* left end of the bars */
    BARS_END = 768, /* right end of the bars */
    TIMES = 848,    /* right edges of the figures */
    SHARES = WIDTH - LEFT,
    AXIS = 112,       /* baseline of the axis' labels */
    ROWS = AXIS + 14, /* the top of the first row */
    ROW = 30,
    BAR = 16,
    WHISKER = 4, /* distance below the bar */
    MARKS = 9,   /* on the axis, at most */
    BELOW = 160, /* height of the sums, the legend and the footer */
};

struct picture {
    const struct explanation *explanation;
    FILE *out;
    struct explain_line lines[EXPLAIN_LINES_MAXIMUM];
    size_t line_count;
    double px_per_ns;
    int y; /* the top of the next row */
};

static const char *colour_of(enum phase_kind kind)
{
    static const size_t colours[PHASE_KINDS] = {
        [PHASE_CLIENT] = 0, [PHASE_QUEUEING] = 4,           [PHASE_NETWORK] = 3,
        [PHASE_SERVER] = 2, [PHASE_NETWORK_AND_SERVER] = 5,
    };

    return plot_colour(colours[kind]);
}

/* CSS variables are not used, since not all SVG viewers support them. */
static const char style[] =
    "text{font:14px system-ui,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;"
    "font-variant-numeric:tabular-nums;fill:#1c1e21}\n"
    "text.title{font-size:21px;font-weight:650}text.soft{fill:#5c6166;font-size:13px}"
    "text.strong{font-weight:650}\n"
    "text.end{text-anchor:end}text.middle{text-anchor:middle}\n"
    ".page{fill:#fff}.grid{stroke:#e4e4e4}.line{stroke:#a3a8ae}"
    ".whisker{stroke:#5c6166;stroke-width:1.5;fill:none}\n"
    ".hatch{stroke:#5c6166;stroke-width:1.5}.overlap{stroke:#5c6166;stroke-dasharray:3 2}\n"
    "@media (prefers-color-scheme:dark){text{fill:#e6e7e8}text.soft{fill:#a3a8ae}"
    ".page{fill:#15171a}.grid{stroke:#2b2f33}.line{stroke:#5c6166}"
    ".whisker,.hatch,.overlap{stroke:#a3a8ae}}\n";

static double x_of(const struct picture *picture, double ns)
{
    return fmin(BARS + ns * picture->px_per_ns, BARS_END);
}

static void print_text(const struct picture *picture, double x, double y, const char *classes,
                       const char *text)
{
    fprintf(picture->out, "<text x='%.1f' y='%.1f' class='%s'>", x, y, classes);
    html_print(picture->out, "%s", text);
    fputs("</text>\n", picture->out);
}

static void print_line(const struct picture *picture, const char *class, double x1, double y1,
                       double x2, double y2)
{
    fprintf(picture->out, "<line class='%s' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>\n", class, x1,
            y1, x2, y2);
}

static void print_figures(const struct picture *picture, const char *classes,
                          const struct explain_line *line)
{
    char text[NUMBER_SIZE], end[32];

    snprintf(end, sizeof end, "end %s", classes);
    print_text(picture, TIMES, picture->y + 13, end, number_us(line->ns, 10, text));
    if (line->share[0])
        print_text(picture, SHARES, picture->y + 13, end, line->share);
}

/* A bar, with a visible minimum width. */
static void print_bar(const struct picture *picture, const char *fill, const char *class,
                      double begins, double length)
{
    double x = x_of(picture, begins), width = fmax(x_of(picture, begins + length) - x, 1.5);

    fprintf(picture->out,
            "<rect class='%s' x='%.1f' y='%d' width='%.1f' height='%d' rx='1.5' fill='%s'/>\n",
            class, x, picture->y, width, BAR, fill);
}

/* Do so few calls enter the phase that its distribution is not representative? */
static bool is_rare(const struct explanation *explanation, const struct phase_row *row)
{
    return row->count < explanation->phases->lifetime.count / 2;
}

/* A whisker from the end of the phase in half of the calls to its end in 99 %, or an arrow if that
 * is beyond the axis. */
static void print_whisker(const struct picture *picture, const struct phase_row *row)
{
    double from = x_of(picture, row->begins + row->p50), to = x_of(picture, row->begins + row->p99);
    double y = picture->y + BAR + WHISKER;

    if (row->second_ns > 0 || to - from < 2 || is_rare(picture->explanation, row))
        return;
    fprintf(picture->out, "<path class='whisker' d='M%.1f %.1fV%.1fM%.1f %.1fH%.1f", from, y - 3,
            y + 3, from, y, to);
    if (BARS + (row->begins + row->p99) * picture->px_per_ns > BARS_END)
        fprintf(picture->out, "l-5 -3.5m5 3.5l-5 3.5'/>\n");
    else
        fprintf(picture->out, "m0 -3v6'/>\n");
}

static void print_row(struct picture *picture, const struct explain_line *line)
{
    const struct phase_row *row = line->row;
    const char *classes = row ? "" : "soft";

    fputs("<g><title>", picture->out);
    html_print(picture->out, "%s",
               row ? row->type->meaning
                   : "The request has left, but the client's send() has not returned: it overlaps "
                     "the phases after it, and is not part of the sum.");
    fputs("</title>\n", picture->out);
    print_text(picture, LEFT, picture->y + 13, classes, line->name);
    for (size_t i = 0; i < 2; i++)
        if (i == 0 || line->bars[i].length > 0)
            print_bar(picture, row ? colour_of(row->type->kind) : "url(#hatch)",
                      row ? "bar" : "overlap", line->bars[i].begins, line->bars[i].length);
    if (row)
        print_whisker(picture, row);
    print_figures(picture, classes, line);
    fputs("</g>\n", picture->out);
    picture->y += ROW;
}

/* Around the rows */

static int rows_end(const struct picture *picture)
{
    return ROWS + ROW * (int)picture->line_count;
}

static void print_opening(const struct picture *picture)
{
    const struct explanation *explanation = picture->explanation;
    int height = rows_end(picture) + BELOW;

    fprintf(picture->out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' "
            "role='img'>\n<title>",
            WIDTH, height, WIDTH, height);
    html_print(picture->out, "Phases of %s on %.200s over %s", explanation->op,
               explanation->origin.target, explanation->origin.transport);
    fprintf(picture->out, "</title>\n<style>\n%s</style>\n", style);
    fputs("<defs><pattern id='hatch' width='6' height='6' patternUnits='userSpaceOnUse' "
          "patternTransform='rotate(45)'><path class='hatch' d='M0 0V6'/></pattern></defs>\n",
          picture->out);
    fprintf(picture->out, "<rect class='page' width='%d' height='%d'/>\n", WIDTH, height);
}

static void print_title(const struct picture *picture)
{
    const struct explanation *explanation = picture->explanation;
    char text[512], life[NUMBER_SIZE], calls[NUMBER_SIZE];

    snprintf(text, sizeof text, "%s on %.50s over %s", explanation->op, explanation->origin.target,
             explanation->origin.transport);
    print_text(picture, LEFT, 42, "title", text);
    snprintf(text, sizeof text, "Where the time of a call goes: %s µs, the mean of %s calls",
             number_us(explanation->phases->lifetime.mean, 10, life),
             number_grouped((double)explanation->phases->lifetime.count, calls));
    print_text(picture, LEFT, 66, "soft", text);
}

static void print_axis(const struct picture *picture)
{
    double end = (BARS_END - BARS) / picture->px_per_ns, step = explain_axis_step(end, MARKS);
    char label[NUMBER_SIZE];

    for (unsigned mark = 0; mark * step <= end; mark++) {
        double x = x_of(picture, mark * step);

        print_line(picture, "grid", x, AXIS, x, rows_end(picture));
        snprintf(label, sizeof label, "%g", mark * step / 1000);
        print_text(picture, x, AXIS - 6, "soft middle", label);
    }
    print_text(picture, LEFT, AXIS - 6, "soft", "µs since the start");
    print_text(picture, TIMES, AXIS - 6, "end soft", "µs per call");
    print_text(picture, SHARES, AXIS - 6, "end soft", "share");
}

static void print_sums(struct picture *picture)
{
    static const struct {
        const char *classes;
        int height;
    } shown[EXPLAIN_SUMS] = {{"", 24}, {"strong", 24}, {"soft", 40}};
    struct explain_line sums[EXPLAIN_SUMS];

    explain_sums(picture->explanation, sums);
    print_line(picture, "line", LEFT, picture->y, SHARES, picture->y);
    picture->y += 10;
    for (size_t i = 0; i < EXPLAIN_SUMS; i++) {
        print_text(picture, LEFT, picture->y + 13, shown[i].classes, sums[i].name);
        print_figures(picture, shown[i].classes, &sums[i]);
        picture->y += shown[i].height;
    }
}

static void print_legend(struct picture *picture)
{
    double x = LEFT;

    for (enum phase_kind kind = 0; kind < PHASE_KINDS; kind++) {
        if (!explain_has_kind(picture->explanation, kind))
            continue;
        fprintf(picture->out, "<rect x='%.1f' y='%d' width='12' height='12' rx='1.5' fill='%s'/>\n",
                x, picture->y, colour_of(kind));
        print_text(picture, x + 18, picture->y + 11, "soft", explain_kind_name(kind));
        x += 18 + 7.5 * (double)strlen(explain_kind_name(kind)) + 22;
    }
    if (picture->line_count > picture->explanation->row_count) {
        fprintf(picture->out,
                "<rect class='overlap' x='%.1f' y='%d' width='12' height='12' rx='1.5' "
                "fill='url(#hatch)'/>\n",
                x, picture->y);
        print_text(picture, x + 18, picture->y + 11, "soft", "overlaps, not in the sum");
        x += 18 + 7.5 * 24 + 16;
    }
    fprintf(picture->out, "<path class='whisker' d='M%.1f %dv6m0 -3h16m0 -3v6'/>\n", x,
            picture->y + 3);
    print_text(picture, x + 23, picture->y + 11, "soft", "median to p99");
    picture->y += 36;
}

static void print_footer(const struct picture *picture)
{
    const struct explanation *explanation = picture->explanation;
    char text[512];

    snprintf(text, sizeof text, "nfsbench %s explain, %s, %s, %s", NFSBENCH_VERSION,
             explanation->origin.start, explanation->origin.cpu, explanation->origin.kernel);
    print_text(picture, LEFT, picture->y, "soft", text);
}

/* With some space for whiskers beyond the mean lifetime. */
static double axis_end(const struct explanation *explanation)
{
    double bars = explain_axis_end(explanation), end = bars;

    for (size_t i = 0; i < explanation->row_count; i++)
        end = fmax(end, explanation->rows[i].begins + explanation->rows[i].p99);
    return fmin(end, 1.2 * bars);
}

/* The waterfall. */
static int write_svg(const void *data, FILE *out)
{
    const struct explanation *explanation = data;
    struct picture picture = {.explanation = explanation, .out = out, .y = ROWS};

    picture.line_count = explain_lines(explanation, picture.lines);
    picture.px_per_ns = (BARS_END - BARS) / axis_end(explanation);
    print_opening(&picture);
    print_title(&picture);
    print_axis(&picture);
    for (size_t i = 0; i < picture.line_count; i++)
        print_row(&picture, &picture.lines[i]);
    print_sums(&picture);
    print_legend(&picture);
    print_footer(&picture);
    fputs("</svg>\n", out);
    return ferror(out) ? -EIO : 0;
}

const struct form form_svg = {
    .writers = {[RESULT_EXPLANATION] = write_svg},
};
