/* A view as OpenMetrics, for the node exporter's textfile collector: a gauge for each number, named
 * by its place in the file, "nfsbench_outage_calls_good", labelled with the rows that it is in;
 * without the values of lists, which are what such a number is made of. Times are in seconds. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "output/openmetrics.h"
#include "output/view.h"

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

/* Does PATH, or a part of it before a dot, end in the unit ENDING? */
static bool is_in(const char *path, const char *ending)
{
    const size_t length = strlen(ending);

    for (const char *at = strstr(path, ending); at; at = strstr(at + 1, ending))
        if (at[length] == '.' || at[length] == '\0')
            return true;
    return false;
}

/* "nfsbench_KIND_LIST_PATH_seconds", of letters, digits and underscores. */
static void name_of(const char *kind, const struct view_item *item, bool seconds, char *name,
                    size_t size)
{
    size_t used = 0;
    char *at = name;

    snprintf(name, size, "nfsbench_%s%s%s_%s", kind, *item->list ? "_" : "", item->list,
             item->path);
    for (; *at; at++)
        *at = strchr(".-", *at) ? '_' : *at;
    if (!seconds)
        return;
    used = (size_t)(at - name);
    if (used > 3 && strcmp(at - 3, "_ns") == 0)
        used -= 3;
    snprintf(name + used, size - used, "_seconds");
}

/* The settings that tell series apart, but those that change each time. */
static const char *print_settings(const struct view_row *root, FILE *out)
{
    const char *before = "";

    for (size_t i = 0; i < VIEW_SETTINGS; i++) {
        const char *name = view_setting_names[i];
        struct view_cell cell;

        view_setting(root, i, &cell);
        if (strcmp(name, "start") == 0 || strcmp(name, "verdict") == 0 || cell.type == CELL_NONE)
            continue;
        fprintf(out, "%s%s=", before, name);
        if (cell.type == CELL_TEXT)
            openmetrics_print_quoted(cell.text, out);
        else
            fprintf(out, "\"%.12g\"", cell.number.estimate);
        before = ",";
    }
    return before;
}

/* And the rows' names, each after the name of its list in the singular. */
static void print_labels(const struct metrics *metrics, const struct view_item *item,
                         const char *bound, FILE *out)
{
    const char *before = print_settings(&metrics->root, out), *list = item->list;

    for (size_t i = 0; i < item->key_count; i++) {
        const size_t length = strcspn(list, ".");
        const size_t singular = length > 1 && list[length - 1] == 's' ? length - 1 : length;

        fprintf(out, "%s%.*s=", before, (int)singular, list);
        openmetrics_print_quoted(item->keys[i], out);
        list += length + (list[length] == '.');
        before = ",";
    }
    if (*bound)
        fprintf(out, "%sbound=\"%s\"", before, bound);
}

static void add_sample(struct metrics *metrics, const struct view_item *item, const char *bound,
                       double value)
{
    const bool ns = is_in(item->path, "_ns");
    char name[240], *sample = NULL;
    struct metric *list;
    size_t size;
    FILE *out;

    if (!isfinite(value))
        return;
    name_of(metrics->kind, item, ns, name, sizeof name);
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
    struct metrics metrics = {.kind = result_kind_key(view->kind), .root = view_root(view, result)};

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
