/* A result file of any kind that can be reported on and compared: the kinds whose view has a
 * reading. Each value is checked when it is read (output/view/json_reader.h). */
#pragma once

#include <jansson.h>

#include "output/form/file.h"
#include "output/result/breakdown.h"
#include "output/view/view.h"

/* What stands out in a survey: the name of the rule that found it, a sentence, and the command that
 * looks further. */
struct result_finding {
    const char *name;
    char text[600], next[300];
};

struct result_file {
    enum result_kind kind;
    const struct result_reading *reading; /* the reading of KIND */
    /* The measurement. For an experiment with two sides: that of the first side; for a ladder: its
     * run. For other kinds it has only the verdict, and when, where and by which command the result
     * was made. */
    struct result result;
    struct result second;         /* measurement of the second of two sides */
    bool has_sides;               /* the file has a complete measurement of each of two sides */
    struct breakdown *breakdowns; /* breakdowns of an explanation or a ladder */
    size_t breakdown_count;
    void *own; /* data of a kind with a structure of its own, in the result's arena; else NULL */
    /* Results that this result contains, each complete and as if read from its own file, in this
     * result's arena. KEY is the JSON key of a part within this result. */
    struct result_file *parts;
    size_t part_count;
    const char *key;
    struct result_finding *findings; /* of a survey, in the result's arena */
    size_t finding_count;
};

/* A reading: how files of a kind are read, and what compare and report do with them. Files of two
 * kinds with the same reading can be shown and compared together. */
struct result_reading {
    /* the kind's name in the plural, such as "ladders", for the list of kinds that a command
     * takes */
    const char *plural;
    /* Set FILE from ROOT, the JSON of the file PATH. Returns 0, or a negative errno with ERROR
     * set. */
    int (*read)(struct result_file *file, const json_t *root, const char *path,
                struct error *error);
    bool has_ops; /* the result has ops like those of a measurement */
    /* For a kind without values that can be compared: write two files next to each other, as text
     * and as an HTML page. DATA is an array of two struct result_file. Report refuses kinds with
     * these functions. NULL if the kind has values to compare. */
    file_writer write_pair, write_pair_page;
    /* Keep only the ops in FILE's member OWN that WANTED names, in the form of result_names_op().
     * Returns false if no op is left. NULL if the ops are those of the breakdowns. */
    bool (*choose)(struct result_file *file, const char *wanted);
};

/* Read from ROOT into RESULT the members of struct origin, which every kind but measurements has:
 * when, where and by which command it was made. Read the verdict, too. */
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

/* Do what result_file_read() does with ROOT, the JSON of the file PATH. Messages name PATH. */
int result_file_read_root(struct result_file *file, const json_t *root, const char *path,
                          const char *command, struct error *error);

/* Set ERROR: COMMAND takes no file of KIND, the kind of the file PATH. Returns -EBADMSG. */
int result_file_refuse(enum result_kind kind, const char *path, const char *command,
                       struct error *error);

/* Return whether the result in FILE has a list of ops like a measurement. True if it has complete
 * measurements of two sides; otherwise its kind decides. */
bool result_file_has_ops(const struct result_file *file);

/* Return what FILE is, for people: the name of its kind, or "a measurement of two sides". */
const char *result_file_name(const struct result_file *file);

/* Return whether files A and B can be shown and compared together. */
bool result_files_fit(const struct result_file *a, const struct result_file *b);
