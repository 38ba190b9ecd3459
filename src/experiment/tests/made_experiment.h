/* Synthetic experiments, written to files in memory so that tests can read them. */
#pragma once

#include "experiment/experiment.h"
#include "memory_file.h"
#include "output/form/measurement_view.h"
#include "test.h"

enum { CELLS = 3, UNITS = 5 };

static char *paths[2];

static void put_text(int file, const char *text)
{
    paths[file] = memory_file((unsigned)file, text, strlen(text));
}

static struct experiment_cell cells[CELLS];
static struct experiment_contrast contrasts[CELLS - 1];

static void set_cell(struct experiment_cell *cell, unsigned depth, double factor)
{
    *cell = (struct experiment_cell){.op = "getattr",
                                     .variant = "krb5",
                                     .setting = {1, 1, depth, 0, 0},
                                     .units = UNITS,
                                     .has_link = depth > 1,
                                     .link = {.latency_ns = depth > 1 ? 50000 : 0}};
    for (size_t i = 0; i < CELL_FIGURES; i++) {
        cell->intervals[i] = (struct interval){NAN, NAN, NAN};
        for (size_t k = 0; k < UNITS; k++)
            cell->figures[i][k] = i == CELL_RATE ? factor * (1000 * depth + (double)k) : NAN;
    }
    cell->intervals[CELL_RATE] =
        (struct interval){factor * 1000 * depth, factor * 999 * depth, factor * 1009 * depth};
}

static void set_contrast(struct experiment_contrast *contrast, size_t second)
{
    *contrast = (struct experiment_contrast){
        .second = second, .units = UNITS, .judged = second == 1, .ratio = {NAN, NAN, NAN}};
    contrast->comparison.difference = (struct interval){500, 400, 600};
    for (size_t k = 0; k < UNITS; k++) {
        contrast->differences[k] = 500 + (double)k;
        contrast->errors[k] = second == 1 ? 20 : NAN;
    }
}

/* Make an experiment over depths. Each rate is FACTOR times (1000 x depth + the unit's index). */
static struct experiment_result make_experiment(double factor)
{
    struct experiment_result experiment = {
        .origin = {.target = "self:", .transport = "TCP", .start = "2026-01-02"},
        .ops = "getattr",
        .reference = "krb5",
        .engine = "wire",
        .unit_seconds = 0.5,
        .cells = cells,
        .cell_count = CELLS,
        .contrasts = contrasts,
        .contrast_count = CELLS - 1,
        .varies_depth = true,
        .scaling_count = 1,
        .sizes_count = 1,
        .delays = {{"getattr", {1, 1, 1, 0, 0}, {{1, 0.9, 1.1}, 0, 50000, {10000, 9000, 11000}}},
                   {"read", {1, 1, 8, 4096, 0}, {{0.1, 0, 0.2}, 0, 50000, {NAN, NAN, NAN}}}},
        .delay_count = 2,
        .diagnoses = {{.op = "getattr",
                       .at = {1, 1, 4, 0, 0},
                       .trials = {NAN, 4, 1.02, 21000, 22000, NAN, NAN},
                       .answer = {BOTTLENECK_LOCK_OR_DEVICE, BOTTLENECK_LIKELY, "a call waits",
                                  "the server's own statistics"}}},
        .diagnosis_count = 1};
    struct experiment_scaling *scaling = &experiment.scaling[0];
    struct experiment_sizes *sizes = &experiment.sizes[0];

    for (unsigned i = 0; i < CELLS; i++) {
        set_cell(&cells[i], 1U << i, factor);
        if (i > 0)
            set_contrast(&contrasts[i - 1], i);
    }
    scaling->op = "getattr";
    scaling->has_knee = true;
    scaling->knee.concurrency = (struct interval){2, 1.5, 2.5};
    scaling->knee.throughput_maximum = scaling->knee.response_minimum =
        (struct interval){NAN, NAN, NAN};
    strcpy(scaling->missing, "too few");
    *sizes = (struct experiment_sizes){.op = "getattr", .clients = 1, .depth = 1, .piece_count = 2};
    sizes->cost.breaks = 1;
    sizes->cost.at[0] = (struct piecewise_break){{4096, 2048, 4096}, 8192, {9, 8, 10}};
    for (size_t i = 0; i < 2; i++)
        sizes->cost.piece[i] = (struct piecewise_piece){
            i ? 8192 : 512, i ? 65536 : 4096, {100, 90, 110}, {0.5, 0.4, 0.6}, 1, true, true};
    return experiment;
}

static char *text_of(const struct experiment_result *experiment)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    assert_all((out), (view_write_json(&view_experiment, experiment, out), 0), (fclose(out), 0));
    return text;
}

static void put_experiment(int file, const struct experiment_result *experiment)
{
    char *text = text_of(experiment);

    put_text(file, text);
    free(text);
}
