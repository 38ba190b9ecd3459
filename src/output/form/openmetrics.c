/* Writes OpenMetrics, for example for the node exporter's textfile collector. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/printable.h"
#include "output/form/form.h"
#include "output/form/measurement_view.h"
#include "output/result/result.h"

void openmetrics_print_quoted(const char *text, FILE *out)
{
    struct printable shown = printable(text);

    fputc('"', out);
    for (const char *at = shown.text; *at; at++) {
        if (*at == '"' || *at == '\\')
            fputc('\\', out);
        fputc(*at, out);
    }
    fputc('"', out);
}

static void print_label(const char **before, const char *name, const struct view_cell *cell,
                        FILE *out)
{
    if (cell->type == CELL_NONE)
        return;
    fprintf(out, "%s%s=", *before, name);
    if (cell->type == CELL_TEXT)
        openmetrics_print_quoted(cell->text, out);
    else
        fprintf(out, "\"%.12g\"", cell->number.estimate);
    *before = ",";
}

/* Metrics of a result that is not a measurement, made from the view of the result's kind: one gauge
 * per number. A gauge is named by the number's path in the JSON file, such as
 * "nfsbench_outage_calls_good". Its labels are the result's settings and the names of the number's
 * rows. Times in ns become seconds. Items of lists of plain values are left out. */

struct metric {
    /* NAME of the metric; SAMPLE: its line, with name, labels and value */
    const char *name, *sample;
    size_t order;
};

struct metrics {
    const char *kind;
    struct view_row root;
    struct arena arena;
    struct metric *list;
    size_t count, room;
    int code;
};

/* Set NAME to "nfsbench_KIND_LIST_PATH" in letters, digits and underscores. If PATH has the unit
 * "_ns" without "_per" after it, remove the unit, append "_seconds" and return true. */
static bool name_of(const char *kind, const struct view_item *item, char *name, size_t size)
{
    snprintf(name, size, "nfsbench_%s%s%s_%s", kind, *item->list ? "_" : "", item->list,
             item->path);
    for (char *at = name; *at; at++)
        *at = strchr(".-/", *at) ? '_' : *at;
    for (char *at = strstr(name, "_ns"); at; at = strstr(at + 1, "_ns")) {
        if ((at[3] != '_' && at[3] != '\0') || strncmp(at + 3, "_per", 4) == 0)
            continue;
        memmove(at, at + 3, strlen(at + 3) + 1);
        snprintf(name + strlen(name), size - strlen(name), "_seconds");
        return true;
    }
    return false;
}

/* Print the settings of the result as labels, without start and verdict, because a label that
 * changes with each run would begin a new series. Returns the text before the next label. */
static const char *print_settings(const struct view_row *root, FILE *out)
{
    const char *before = "";

    for (size_t i = 0; i < VIEW_SETTINGS; i++) {
        const char *name = view_setting_names[i];
        struct view_cell cell;

        view_setting(root, i, &cell);
        if (strcmp(name, "start") != 0 && strcmp(name, "verdict") != 0)
            print_label(&before, name, &cell, out);
    }
    return before;
}

/* Print the labels of ITEM: the settings, and one label for each row that contains ITEM. The name
 * of a row's label is that of the row's list in the singular; its value is the row's name. BOUND is
 * the value of the label "bound"; "" for no such label. */
static void print_item_labels(const struct metrics *metrics, const struct view_item *item,
                              const char *bound, FILE *out)
{
    const char *before = print_settings(&metrics->root, out), *list = item->list;

    for (size_t i = 0; i < item->key_count; i++) {
        const char *end = list + strcspn(list, "/"), *begin = end;

        while (begin > list && begin[-1] != '.')
            begin--;
        fprintf(out, "%s%.*s=", before, (int)(end - begin) - (end > begin && end[-1] == 's'),
                begin);
        openmetrics_print_quoted(item->keys[i], out);
        list = end + (*end == '/');
        before = ",";
    }
    if (*bound)
        fprintf(out, "%sbound=\"%s\"", before, bound);
}

static void add_sample(struct metrics *metrics, const struct view_item *item, const char *bound,
                       double value)
{
    char name[240], *sample = NULL;
    struct metric metric;
    size_t size;
    FILE *out;
    bool ns;

    if (!isfinite(value))
        return;
    ns = name_of(metrics->kind, item, name, sizeof name);
    out = open_memstream(&sample, &size);
    if (!out) {
        metrics->code = -ENOMEM;
        return;
    }
    fprintf(out, "%s{", name);
    print_item_labels(metrics, item, bound, out);
    fprintf(out, "} %.12g", ns ? value / 1e9 : value);
    fclose(out);
    metric = (struct metric){arena_copy(&metrics->arena, name), arena_copy(&metrics->arena, sample),
                             metrics->count};
    if (array_add(&metrics->list, &metrics->count, &metrics->room, &metric, sizeof metric) != 0)
        metrics->code = -ENOMEM;
    free(sample);
}

static void add_item(const struct view_item *item, void *data)
{
    const struct interval *value = &item->cell->number;
    const bool range = isfinite(value->low);

    if (item->cell->type != CELL_NUMBER || item->of_values)
        return;
    add_sample(data, item, range ? "estimate" : "", value->estimate);
    add_sample(data, item, "low", value->low);
    add_sample(data, item, "high", value->high);
}

/* Compare two metrics for sorting: by name, because the format requires a metric's samples in one
 * group, then by order. */
static int by_name(const void *a, const void *b)
{
    const struct metric *first = a, *second = b;
    const int order = strcmp(first->name, second->name);

    return order ? order : (first->order > second->order) - (first->order < second->order);
}

static int write_view(const struct view *view, const void *result, FILE *out)
{
    struct metrics metrics = {.kind = result_kind_key(view->kind),
                              .root = view_root(view, result, false)};

    view_items(view, result, add_item, &metrics);
    if (metrics.count && metrics.code == 0)
        qsort(metrics.list, metrics.count, sizeof *metrics.list, by_name);
    for (size_t i = 0; i < metrics.count && metrics.code == 0; i++) {
        if (i == 0 || strcmp(metrics.list[i - 1].name, metrics.list[i].name) != 0)
            fprintf(out, "# TYPE %s gauge\n", metrics.list[i].name);
        fprintf(out, "%s\n", metrics.list[i].sample);
    }
    fputs("# EOF\n", out);
    free(metrics.list);
    arena_free(&metrics.arena);
    return metrics.code ? metrics.code : ferror(out) ? -EIO : 0;
}

/* Metrics of a measurement. Their names and labels are older than those from views, and stay
 * because users' dashboards depend on them. */

/* A gauge. Adjacent gauges with the same name form a metric. Each gauge has a sample per row, or
 * three if BOUNDS is true. */
struct gauge {
    const char *name, *help;
    const char *rows; /* path of the list whose rows have the value; NULL if the result has it */
    const char *path;
    double scale; /* factor from the value to the printed number */
    /* name and value of a label of this sample only; VALUE has the form of a view_line's text */
    const char *label, *value;
    bool bounds;      /* true if the value is an interval whose ends are printed as well */
    const char *when; /* condition on the result, read from a metric's first gauge; NULL for none */
};

#define NS      1e-9
#define LATENCY "latency_seconds", "Round trip of a call, by quantile.", "ops"
#define CPU     "cpu_seconds_per_mebibyte", "Processor time that 1048576 bytes of files take.", "ops"
#define SPREAD                                                                                     \
    "spread_seconds",                                                                              \
        "Standard deviation that a level of repetition adds to a launch's cost, or to its round "  \
        "trip for null.",                                                                          \
        "ops"

static const struct gauge gauges[] = {
    {LATENCY, "latency_ns.p50", NS, "quantile", "0.5"},
    {LATENCY, "latency_ns.p90", NS, "quantile", "0.9"},
    {LATENCY, "latency_ns.p99", NS, "quantile", "0.99"},
    {LATENCY, "latency_ns.p999", NS, "quantile", "0.999"},
    {"latency_mean_seconds", "Mean round trip of a call.", "ops", "latency_ns.mean", NS},
    {"above_null_seconds",
     "Typical cost of a call above the null call: estimate and 95 percent interval.", "ops",
     "above_null_ns", NS, .bounds = true},
    {"mean_above_null_seconds",
     "The same in the mean, rare slow calls included: estimate and 95 percent interval.", "ops",
     "mean_above_null_ns", NS, .bounds = true},
    {"server_seconds", "The server's part of that: estimate and 95 percent interval.", "ops",
     "model.server_ns", NS, .bounds = true},
    {"bandwidth_bytes_per_second", "Bytes of files per second: estimate and 95 percent interval.",
     "ops", "bandwidth.mb_per_s", 1e6, .bounds = true},
    {CPU, "bandwidth.client_cpu_ns_per_mib", NS, "side", "client"},
    {CPU, "bandwidth.server_cpu_ns_per_mib", NS, "side", "server"},
    {"of_local_ratio",
     "Rate over that of the local directory (--baseline-dir): estimate and 95 percent interval.",
     "ops", "of_local", 1, .bounds = true},
    {"launch_above_null_seconds", "Typical cost of a call above the null call in each launch.",
     "launches/ops", "cost_ns", NS, "launch", "{^#}", .when = "launches>1"},
    {SPREAD, "spread_ns.rounds", NS, "level", "rounds", .when = "launches>1"},
    {SPREAD, "spread_ns.clients", NS, "level", "clients", .when = "launches>1"},
    {SPREAD, "spread_ns.servers", NS, "level", "servers", .when = "launches>1"},
    {"calls", "Calls that the run made.", "ops", "calls", 1},
    {"calls_per_second", "Calls over the time that was spent on this op.", "ops", "rate_per_s", 1},
    {"data_bytes_per_second", "Bytes of files over that time.", "ops", "mb_per_s", 1e6},
    {"failed_calls", "Calls that were answered by an error.", "ops", "failed", 1},
    {"run", "Always 1, labelled with the client's host.", NULL, "host", 1, "host", "{host.name}",
     .when = "host.name"},
    {"verdict", "May the run be believed: 0 yes, 1 suspect, 2 no.", NULL, "validity.verdict_number",
     1},
    {NULL},
};

/* Labels of samples. PATH is a path in the row if OF_ROW is true, otherwise in the result. Samples
 * of the whole result, not of a row, have only the labels for which OF_ROW is false and WHEN is
 * NULL.
 */
static const struct {
    const char *name, *path;
    bool of_row;
    const char *when; /* condition on the row for the label to be printed; NULL for none */
} labels[] = {
    {"target", "target.text"},
    {"transport", "target.proto"},
    {"clients", "config.clients"},
    {"depth", "config.depth"},
    {"op", "op", .of_row = true},
    {"size", "config.read_size", .when = "op=read|op=read" RESULT_LOCAL_END},
    {"size", "config.write_size", .when = "op=write|op=write" RESULT_LOCAL_END},
};

struct writing {
    const struct view_row *root;
    /* METRIC is the first of the metric's gauges, END the gauge after the last */
    const struct gauge *metric, *end;
    FILE *out;
};

static void print_labels(const struct view_row *root, const struct view_row *row, FILE *out)
{
    const char *before = "{";
    struct view_cell cell;

    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        if ((labels[i].of_row || labels[i].when) &&
            (row == root || !view_holds(row, labels[i].when)))
            continue;
        view_cell(labels[i].of_row ? row : root, labels[i].path, &cell);
        print_label(&before, labels[i].name, &cell, out);
    }
}

static void print_sample(const struct writing *writing, const struct gauge *metric,
                         const struct view_row *row, const char *label, const char *value,
                         double number)
{
    const char *before = ",";
    const struct view_cell text = {.type = CELL_TEXT, .text = value};

    if (!isfinite(number))
        return;
    fprintf(writing->out, "nfsbench_%s", metric->name);
    print_labels(writing->root, row, writing->out);
    if (label)
        print_label(&before, label, &text, writing->out);
    fprintf(writing->out, "} %.12g\n", number * metric->scale);
}

static void print_row(const struct view_row *row, void *data)
{
    const struct writing *writing = data;

    for (const struct gauge *metric = writing->metric; metric < writing->end; metric++) {
        struct view_cell cell;
        char value[FIELD_ROOM];

        view_cell(row, metric->path, &cell);
        if (cell.type != CELL_NUMBER)
            continue;
        view_expand(row, metric->value ? metric->value : "", value, sizeof value);
        print_sample(writing, metric, row, metric->bounds ? "bound" : metric->label,
                     metric->bounds ? "estimate" : value, cell.number.estimate);
        if (!metric->bounds)
            continue;
        print_sample(writing, metric, row, "bound", "low", cell.number.low);
        print_sample(writing, metric, row, "bound", "high", cell.number.high);
    }
}

static int write_openmetrics(const void *result, FILE *out)
{
    const struct view_row root = view_root(&view_measurement, result, false);
    struct writing writing = {.root = &root, .out = out};

    for (const struct gauge *metric = gauges; metric->name; metric = writing.end) {
        writing.metric = metric;
        for (writing.end = metric; writing.end->name && !strcmp(writing.end->name, metric->name);)
            writing.end++;
        if (!view_holds(&root, metric->when))
            continue;
        fprintf(out, "# TYPE nfsbench_%s gauge\n# HELP nfsbench_%s %s\n", metric->name,
                metric->name, metric->help);
        if (metric->rows)
            view_each(&root, metric->rows, print_row, &writing);
        else
            print_row(&root, &writing);
    }
    fputs("# EOF\n", out);
    return ferror(out) ? -EIO : 0;
}

const struct form form_openmetrics = {
    .writers = {[RESULT_MEASUREMENT] = write_openmetrics},
    .write_view = write_view,
};
