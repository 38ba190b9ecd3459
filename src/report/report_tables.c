/* The tables of ops: the tables of a measurement's view, with the rows of all files. */
#include <stdlib.h>
#include <string.h>

#include "output/form/measurement_view.h"
#include "output/result/result_fields.h"
#include "output/view/view_page.h"
#include "report/report_parts.h"

struct rows {
    struct view_row files[RESULT_SET_FILES], list[(RESULT_SET_OPS + 1) * RESULT_SET_FILES];
    size_t count;
};

/* Add a row for OP of the result in file FILE, unless OP is NULL. */
static void add_row(struct rows *rows, size_t file, const struct result_op *op)
{
    const struct view_row *outer = &rows->files[file];

    if (op)
        rows->list[rows->count++] = (struct view_row){.fields = op_fields,
                                                      .object = op,
                                                      .root = outer->root,
                                                      .outer = outer,
                                                      .name = outer->name,
                                                      .verbose = outer->verbose};
}

/* Find the rows of the tables. Each op has a row for each file; the null controls come last. */
static void find_rows(struct rows *rows, const struct report *report)
{
    const struct result_set *set = report->set;

    rows->count = 0;
    for (size_t file = 0; file < set->count; file++)
        rows->files[file] = report_row(report, file);
    for (size_t op = 0; op < set->op_count; op++)
        for (size_t file = 0; file < set->count; file++)
            add_row(rows, file, result_set_op(set, file, op));
    for (size_t file = 0; file < set->count; file++)
        add_row(rows, file, set->results[file]->null_control);
}

static void print_notes(const struct report *report, const struct view_line *notes,
                        const struct rows *rows, FILE *out)
{
    for (size_t file = 0; file < report->set->count; file++) {
        char *text = NULL;
        size_t length = 0;
        FILE *memory = open_memstream(&text, &length);

        if (memory) {
            page_print_lines(&report_form, notes, &rows->files[file], PAGE_NOTE, memory);
            fclose(memory);
        }
        if (length > 0 && report->set->count > 1)
            report_letter(report, file, "<p>", out);
        fwrite(text ? text : "", 1, length, out);
        free(text);
    }
}

static void print_table(const struct report *report, const struct view_table *table,
                        const struct rows *rows, FILE *out)
{
    struct view_column columns[PAGE_COLUMNS] = {table->columns[0]};
    struct view_table shown = *table;
    size_t count = 1;
    bool any = false;

    if (report->set->count > 1)
        columns[count++] = (struct view_column){REPORT_FILE, "file", .flags = VIEW_LEFT};
    for (const struct view_column *column = table->columns + 1; column->path; column++)
        columns[count++] = *column;
    shown.columns = columns;
    page_print_rows(&report_form, &shown, rows->list, rows->count, out);
    for (size_t i = 0; i < rows->count; i++)
        any = any || view_holds(&rows->list[i], table->when);
    if (any)
        print_notes(report, table->notes, rows, out);
}

void report_tables(const struct report *report, FILE *out)
{
    static const struct view_line failed[] = {
        {"{op}: {failed:,} of {calls:,} calls failed", "ops", .when = "failed"}, {NULL}};
    struct rows rows;

    find_rows(&rows, report);
    for (const struct view_table *table = view_measurement.tables; table->rows; table++)
        if (strcmp(table->rows, "ops") == 0 && table->heading)
            print_table(report, table, &rows, out);
    print_notes(report, failed, &rows, out);
}
