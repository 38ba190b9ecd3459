/* A result file of a kind that can be reported on or compared, because the kind's view has a struct
 * result_reading. Each value is checked when it is read (output/view/json_reader.h). */
#pragma once

#include <jansson.h>

#include "output/form/file.h"
#include "output/result/breakdown.h"
#include "output/view/view.h"

/* A finding of a survey: NAME of the rule that found it, TEXT that describes it, and NEXT, the
 * command to investigate it. */
struct result_finding {
    const char *name;
    char text[600], next[300];
};

struct result_file {
    enum result_kind kind;
    const struct result_reading *reading;
    /* The measurement. If there are two sides, it is that of the first side; for a ladder or
     * states, that of the run. For other kinds, at most what result_file_read_origin() reads is
     * set. */
    struct result result;
    struct result second; /* measurement of the second side, if HAS_SIDES */
    /* true if the file has a complete measurement of each of two sides */
    bool has_sides;
    struct breakdown *breakdowns; /* breakdowns of an explanation, a ladder or states */
    size_t breakdown_count;
    void *own; /* data that only files of some kinds have, in the result's arena; else NULL */
    /* Results that this result contains, in its arena, each as complete as if read from a file. */
    struct result_file *parts;
    size_t part_count;
    const char *key;                 /* for a part: its key in the result that contains it */
    struct result_finding *findings; /* findings of a survey, in the result's arena */
    size_t finding_count;
    const char *looked_for; /* of a survey: names of the rules that were applied; else NULL */
};

/* A reading: how files of a kind are read, and what compare and report do with them. Files of two
 * kinds with the same reading can be shown and compared together. */
struct result_reading {
    /* plural name of the kind, such as "ladders", for messages on the kinds that a command takes */
    const char *plural;
    /* Set FILE from ROOT, the parsed file PATH. Returns 0, or a negative errno with ERROR set. */
    int (*read)(struct result_file *file, const json_t *root, const char *path,
                struct error *error);
    bool has_ops; /* true if the result has a list of ops like a measurement's */
    /* Only for a kind whose values cannot be compared, else NULL: write two files next to each
     * other, as text or as an HTML page. Their DATA is an array of two struct result_file. The
     * command report refuses kinds with these functions. */
    file_writer write_pair, write_pair_page;
    /* Keep in FILE's OWN only the ops that WANTED (a list for result_names_op()) names. Returns
     * false if no op is left. NULL if the ops are those of the breakdowns. */
    bool (*choose)(struct result_file *file, const char *wanted);
};

/* Read from ROOT into RESULT the verdict, the load, and when, where and by which command the result
 * was made. For kinds that are not measurements. */
void result_file_read_origin(struct json_reader *reader, const json_t *root, struct result *result);

extern const struct result_reading measurement_reading;

/* Read the member KEY of ROOT, one side's measurement, into SIDE. Returns 0, or a negative errno
 * with ERROR set. */
int result_file_read_side(const json_t *root, const char *key, const char *path,
                          struct result *side, struct error *error);

/* Read the file PATH. Kinds without a reading are refused; the message names COMMAND ("report").
 * Returns what result_read() returns. Free FILE with result_file_free(), even after an error. */
int result_file_read(struct result_file *file, const char *path, const char *command,
                     struct error *error);
void result_file_free(struct result_file *file);

/* Do what result_file_read() does with ROOT, the parsed file PATH. */
int result_file_read_root(struct result_file *file, const json_t *root, const char *path,
                          const char *command, struct error *error);

/* Set ERROR: COMMAND does not accept the file PATH because of its KIND. Returns -EBADMSG. */
int result_file_refuse(enum result_kind kind, const char *path, const char *command,
                       struct error *error);

/* Return whether FILE's result has a list of ops like a measurement's: its kind has one, or it has
 * complete measurements of two sides. */
bool result_file_has_ops(const struct result_file *file);

/* Return a name of FILE's contents for people: its kind's, or "a measurement of two sides". */
const char *result_file_name(const struct result_file *file);

/* Return whether files A and B can be shown and compared together. */
bool result_files_fit(const struct result_file *a, const struct result_file *b);
