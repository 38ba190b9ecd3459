/* A view as OpenMetrics, for the node exporter's textfile collector: a gauge for each number, named
 * by its place in the file, "nfsbench_outage_calls_good", labelled with the rows that it is in;
 * without the values of lists, which are what such a number is made of. Times are in seconds. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/printable.h"
#include "output/openmetrics.h"
#include "output/view.h"

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

void openmetrics_print_label(const char **before, const char *name, const struct view_cell *cell,
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

struct metric {
    const char *name, *sample; /* with its labels and value */
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

/* "nfsbench_KIND_LIST_PATH", of letters, digits and underscores; true where "_ns" in it, which is
 * no part of a rate such as "_ns_per_byte", became "_seconds" at its end. */
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

/* The settings that tell series apart, but those that change each time. */
static const char *print_settings(const struct view_row *root, FILE *out)
{
    const char *before = "";

    for (size_t i = 0; i < VIEW_SETTINGS; i++) {
        const char *name = view_setting_names[i];
        struct view_cell cell;

        view_setting(root, i, &cell);
        if (strcmp(name, "start") != 0 && strcmp(name, "verdict") != 0)
            openmetrics_print_label(&before, name, &cell, out);
    }
    return before;
}

/* And the rows' names, each after the name of its list in the singular. */
static void print_labels(const struct metrics *metrics, const struct view_item *item,
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
    struct metric *list;
    size_t size;
    FILE *out;
    bool ns;

    if (!isfinite(value))
        return;
    ns = name_of(metrics->kind, item, name, sizeof name);
    list = array_grow(metrics->list, metrics->count, &metrics->room, 64, sizeof *list);
    metrics->list = list ? list : metrics->list;
    out = open_memstream(&sample, &size);
    if (!list || !out) {
        metrics->code = -ENOMEM;
        return;
    }
    fprintf(out, "%s{", name);
    print_labels(metrics, item, bound, out);
    fprintf(out, "} %.12g", ns ? value / 1e9 : value);
    fclose(out);
    list[metrics->count] = (struct metric){arena_copy(&metrics->arena, name),
                                           arena_copy(&metrics->arena, sample), metrics->count};
    metrics->count++;
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

/* A metric's samples have to be together. */
static int by_name(const void *a, const void *b)
{
    const struct metric *first = a, *second = b;
    const int order = strcmp(first->name, second->name);

    return order ? order : (first->order > second->order) - (first->order < second->order);
}

int view_write_openmetrics(const struct view *view, const void *result, FILE *out)
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
