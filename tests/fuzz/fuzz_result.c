/* A result file that anyone may have written: read, compared with itself and with a good one, on
 * both sides, in all forms; drawn, up to what is sent to gnuplot; and reported on; or what a launch
 * passes on of two sides. The output must be safe for a terminal, whatever the file contains. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "json_mutator.h"
#include "output/versus.h"
#include "picture/panel.h"
#include "picture/report.h"
#include "shown.h"

static const char good[] =
    "{\"schema\": \"nfsbench-result/2\", \"kind\": \"measurement\","
    " \"target\": {\"text\": \"self:\", \"proto\": \"tcp\"},"
    " \"config\": {\"engine\": \"wire\", \"wait\": \"block\", \"baseline\": true},"
    " \"ops\": [{\"op\": \"null\", \"role\": \"null\", \"blocks\": [10.5, 11.5]},"
    " {\"op\": \"read\", \"role\": \"op\", \"blocks\": [12.5, 13.5], \"above_null_ns\": "
    "{\"estimate\": 2.0,"
    " \"ci95\": [1.5, 2.5]}, \"histogram\": {\"low_ns\": [12, 13], \"count\": [1, 1]}}]}";

/* Files in memory, under names that can be opened. */
enum { GOOD, ANY, FILES };

static int descriptors[FILES];
static char paths[FILES][32];

static void put(int file, const void *data, size_t size)
{
    if (ftruncate(descriptors[file], 0) != 0 ||
        pwrite(descriptors[file], data, size, 0) != (ssize_t)size)
        abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    for (int i = 0; i < FILES; i++) {
        descriptors[i] = memfd_create("result", MFD_CLOEXEC);
        snprintf(paths[i], sizeof paths[i], "/proc/self/fd/%d", descriptors[i]);
    }
    put(GOOD, good, sizeof good - 1);
    return 0;
}

/* Mostly the mutated JSON is still JSON. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maximum);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maximum, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maximum, unsigned seed)
{
    uint8_t copy[8192];
    size_t mutated = 0;

    if (seed % 8 && size <= sizeof copy) {
        memcpy(copy, data, size);
        mutated = json_mutate(data, size, maximum, seed);
        if (mutated == 0)
            memcpy(data, copy, size);
    }
    return mutated ? mutated : LLVMFuzzerMutate(data, size, maximum);
}

/* Forms */

/* Two sides are judged again, as those of several launches are. */
static void write_file_again(struct result_file *file, FILE *out)
{
    struct error error;

    if (file->kind == RESULT_VERSUS && versus_judge(&file->versus, &error) == 0) {
        versus_print(&file->versus, true, out);
        if (view_write_json(&view_versus, &file->versus, out) != 0)
            abort();
    } else if (result_file_has_ops(file)) {
        shown_result(&file->result, out);
    }
    if (file->sweep && view_write_json(&view_sweep, file->sweep, out) != 0)
        abort();
}

/* Whatever both files of SET have. */
static bool compare_files(const struct result_set *set, struct compare_pair *pair)
{
    const struct compare_threshold threshold = {0.05, NAN};
    struct error error;

    *pair = (struct compare_pair){.kind = set->kind,
                                  .first = &set->files[0].result,
                                  .second = &set->files[1].result,
                                  .first_count = 1,
                                  .second_count = 1};
    if (result_file_has_ops(&set->files[0]) && pair_compare(pair, &threshold, NULL, &error) != 0)
        return false;
    return set->kind == RESULT_MEASUREMENT ||
           figures_compare(pair, &set->files[0], &set->files[1], &threshold, NULL, &error) == 0;
}

static bool draw(const struct plot_kind *kind, const struct result_set *set, size_t index,
                 FILE *out)
{
    struct panel panel;
    const bool drawn = panel_open(&panel) == 0 && kind->draw(set, index, &panel);

    fflush(panel.out);
    fflush(panel.drawn);
    if (drawn)
        fprintf(out, "%s%s", panel.texts[0].data, panel.texts[1].data);
    panel_close(&panel);
    return drawn;
}

static void draw_all(const struct result_set *set, FILE *out)
{
    for (size_t i = 0; plot_kinds[i]; i++)
        for (size_t index = 0; index < PLOT_PANELS && draw(plot_kinds[i], set, index, out);)
            index++;
}

/* Of the file at PLACE only OP, which it has, is chosen, and nothing else is left. */
static void choose(int place, const char *op)
{
    char *const names[] = {paths[place], paths[place]};
    struct result_set set;
    struct error error;

    if (result_set_open(&set, names, 2, op, "fuzz", &error) != 0)
        abort();
    for (size_t i = 0; i < set.op_count; i++)
        if (strcasecmp(set.ops[i], op) != 0)
            abort();
    for (size_t i = 0; i < set.files[1].breakdown_count; i++)
        if (strcasecmp(set.files[1].breakdowns[i].op, op) != 0)
            abort();
    result_set_close(&set);
}

/* The name of an op of SET's first file; "": it has none, or one that no list can have. */
static void name_op(const struct result_set *set, char name[64])
{
    const struct result_file *file = &set->files[0];
    const char *op = set->op_count               ? set->ops[set->op_count - 1]
                     : file->breakdown_count > 0 ? file->breakdowns[0].op
                     : file->sweep               ? file->sweep->op
                                                 : "";

    snprintf(name, 64, "%s", op && strlen(op) < 63 && !strchr(op, ',') ? op : "");
}

/* Everything that can be made from COUNT files together. */
static void use(int first, int second, size_t count)
{
    char *const names[] = {paths[first], paths[second]};
    struct result_set set = {.count = 0};
    struct compare_pair pair = {.first = NULL};
    struct report report = {.set = &set, .no_pictures = "they are drawn apart"};
    struct error error;
    char *text, op[64] = "";
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (result_set_open(&set, names, count, NULL, "fuzz", &error) == 0) {
        name_op(&set, op);
        if (count == 2 && compare_files(&set, &pair)) {
            report.pairs = &pair;
            report.pair_count = 1;
            shown_comparison(&pair, out);
        }
        report_write(&report, out);
        draw_all(&set, out);
        write_file_again(&set.files[0], out);
    }
    fclose(out);
    shown_must_be_harmless(text);
    free(text);
    free(pair.rows);
    free(pair.figures);
    result_set_close(&set);
    if (count == 1 && *op)
        choose(first, op);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    put(ANY, data, size);
    use(ANY, ANY, 1);
    use(ANY, ANY, 2);
    use(ANY, GOOD, 2);
    use(GOOD, ANY, 2);
    return 0;
}
