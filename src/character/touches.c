#include "character/touches.h"

#include <string.h>

#define COLD_LEAST_US 20.0

/* READs of new files come last, since they may bring attributes into memory. */
static const char *const ops[] = {"lookup", "getattr", "read"};

enum { OPS = sizeof ops / sizeof ops[0] };

int touches_make(struct touches *touches, struct lab *lab, struct error *error)
{
    int code = 0;

    touches->lab = lab;
    for (size_t i = 0; i < TOUCHES_FILES && code == 0; i++) {
        struct touched_file *file = &touches->files[i];

        code = lab_make_file(lab, file->name, &file->handle, error);
        if (code == 0)
            code = lab_write(lab, &file->handle, 0, TOUCHES_BYTES, error);
    }
    return code;
}

static int touch(struct touches *touches, size_t op, const struct touched_file *file, double *us,
                 struct error *error)
{
    const nfs_fh3 handle = nfs_handle_argument(&file->handle);
    union nfs_arguments arguments;
    uint64_t ticks;
    int code;

    memset(&arguments, 0, sizeof arguments);
    if (strcmp(ops[op], "lookup") == 0)
        arguments.lookup.what = lab_place(touches->lab, file->name);
    else if (strcmp(ops[op], "getattr") == 0)
        arguments.getattr.object = handle;
    else
        arguments.read = (READ3args){.file = handle, .count = TOUCHES_BYTES};
    code = lab_call_timed(touches->lab, ops[op], &arguments, &ticks, error);
    *us = clock_sample_ns(&touches->lab->clock, ticks) / 1000;
    return code;
}

static int touch_all(struct touches *touches, size_t op, const char *when,
                     struct character_answer *answer, struct interval *more, struct error *error)
{
    const uint64_t seed = touches->lab->plan->run.seed;
    double differences[TOUCHES_FILES], seconds[TOUCHES_FILES];
    struct interval later;
    char name[64];
    int code = 0;

    for (size_t i = 0; i < TOUCHES_FILES && code == 0; i++) {
        double first = 0;

        code = touch(touches, op, &touches->files[i], &first, error);
        if (code == 0)
            code = touch(touches, op, &touches->files[i], &seconds[i], error);
        differences[i] = first - seconds[i];
    }
    if (code == 0)
        code = estimate_median_interval(differences, TOUCHES_FILES, seed, more, error);
    if (code == 0)
        code = estimate_median_interval(seconds, TOUCHES_FILES, seed, &later, error);
    if (code)
        return code;
    snprintf(name, sizeof name, "first %s, %s", nfs_procedure_find(ops[op])->rpc.name, when);
    answer_figure(answer, name, more, "us", "more than the one after it (%.1f us)", later.estimate);
    return 0;
}

int touches_compare(struct touches *touches, const char *when, struct character_answer *answer,
                    bool *cold, struct error *error)
{
    int code = 0;

    *cold = false;
    for (size_t op = 0; op < OPS && code == 0; op++) {
        struct interval more = {0, 0, 0};

        code = touch_all(touches, op, when, answer, &more, error);
        *cold = *cold || more.low > COLD_LEAST_US;
    }
    return code;
}
