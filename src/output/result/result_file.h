/* A result file of any kind that can be reported on and compared: the kinds whose view has a
 * reading. Each value is checked when it is read (output/view/json_reader.h). */
#pragma once

#include <jansson.h>

#include "output/form/file.h"
#include "output/result/breakdown.h"
#include "output/view/view.h"

struct result_file {
    enum result_kind kind;
    const struct result_reading *reading; /* of KIND */
    /* The measurement. For an experiment with two sides, the first side; for a ladder, its run. For
     * other kinds only when, where and by which command it was made, and the verdict. */
    struct result result;
    struct result second;         /* the second of two sides */
    bool has_sides;               /* the file has a complete measurement of each of two sides */
    struct breakdown *breakdowns; /* of explanations and ladders */
    size_t breakdown_count;
    void *own; /* data of a kind that has its own structure, in the result's arena; else NULL */
    /* Complete results that this result contains, in its arena, each as if read from its own file.
     * KEY is the JSON key of a contained result within the result that contains it. */
    struct result_file *parts;
    size_t part_count;
    const char *key;
};

/* A reading: how files of a kind are read, and what compare and report do with them. Files of two
 * kinds with the same reading can be shown and compared together. */
struct result_reading {
    const char *plural; /* such as "ladders", for the list of kinds that a command takes */
    /* Set FILE from ROOT, the JSON of the file PATH. Returns 0, or a negative errno with ERROR
     * set. */
    int (*read)(struct result_file *file, const json_t *root, const char *path,
                struct error *error);
    bool has_ops; /* the result has ops like those of a measurement */
    /* For a kind without values that can be compared: write two files next to each other, as text
     * and as an HTML page. DATA is an array of two struct result_file. Report refuses kinds with
     * these functions. NULL if the kind has values to compare. */
    file_writer write_pair, write_pair_page;
    /* Keep only those ops of FILE's OWN that WANTED names, in the form of result_names_op().
     * Returns false if no op is left. NULL if the ops are those of the breakdowns. */
    bool (*choose)(struct result_file *file, const char *wanted);
};

/* Read from ROOT into RESULT what every kind but measurements has: when, where and by which command
 * it was made, and the verdict. */
void result_file_read_origin(struct json_reader *reader, const json_t *root, struct result *result);

extern const struct result_reading measurement_reading;

/* Read the member KEY of ROOT, one of two sides, into SIDE as a measurement. Returns 0, or a
 * negative errno with ERROR set. */
int result_file_read_side(const json_t *root, const char *key, const char *path,
                          struct result *side, struct error *error);

/* Read the file PATH for COMMAND ("report"). Kinds without a reading are refused by name. Returns
 * as result_read() (result_json.h). Release FILE with result_file_free(), also after an error. */
int result_file_read(struct result_file *file, const char *path, const char *command,
                     struct error *error);
void result_file_free(struct result_file *file);

/* As result_file_read(), from ROOT, the JSON of the file PATH (used in messages). */
int result_file_read_root(struct result_file *file, const json_t *root, const char *path,
                          const char *command, struct error *error);

/* Set ERROR: COMMAND takes no file of KIND, the kind of the file PATH. Returns -EBADMSG. */
int result_file_refuse(enum result_kind kind, const char *path, const char *command,
                       struct error *error);

/* Return whether the result in FILE has a list of ops like a measurement. True if it has complete
 * measurements of two sides; otherwise its kind decides. */
bool result_file_has_ops(const struct result_file *file);

/* Return what FILE is for people: the name of its kind, or "a measurement of two sides". */
const char *result_file_name(const struct result_file *file);

/* Return whether files A and B can be shown and compared together. */
bool result_files_fit(const struct result_file *a, const struct result_file *b);
