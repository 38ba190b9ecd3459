/* A result file of any of the kinds that can be drawn, reported on and compared. There is one
 * reader for all of them, and each value is checked when it is read (output/view/json_reader.h). */
#pragma once

#include <jansson.h>

#include "output/result/breakdown.h"
#include "output/result/experiment.h"
#include "output/result/kind.h"

struct result_file {
    enum result_kind kind;
    /* The measurement; of an experiment with two sides the first; of a ladder its run. Of other
     * kinds what all have: when, where, by which command, and the verdict. */
    struct result result;
    struct result second;                 /* of two sides */
    struct experiment_result *experiment; /* of an experiment; else NULL */
    struct breakdown *breakdowns;         /* of explanations and ladders */
    size_t breakdown_count;
    json_t *root; /* of a character, which character/ reads; else NULL */
};

/* Read the file PATH for COMMAND ("report"); a kind that is none of these is refused by its name.
 * Returns as result_read() (result_json.h). Release it with
 * result_file_free(), which may be done after an error, too. */
int result_file_read(struct result_file *file, const char *path, const char *command,
                     struct error *error);
void result_file_free(struct result_file *file);

/* The same of ROOT, the JSON of a file that PATH names in messages. */
int result_file_read_root(struct result_file *file, const json_t *root, const char *path,
                          const char *command, struct error *error);

/* Set ERROR: COMMAND takes no file of KIND, as PATH is. Returns -EBADMSG. */
int result_file_refuse(enum result_kind kind, const char *path, const char *command,
                       struct error *error);

/* Has FILE ops like a measurement's, in its result? */
bool result_file_has_ops(const struct result_file *file);

/* Is it an experiment with the whole measurements of two sides? */
bool result_file_has_sides(const struct result_file *file);

/* What FILE is, for people: its kind's name, or "a measurement of two sides". */
const char *result_file_name(const struct result_file *file);

/* Can files A and B be shown and compared together? Explanations of one op and of several can. */
bool result_files_fit(const struct result_file *a, const struct result_file *b);
