/* A result file of any of the kinds that can be drawn, reported on and compared: those whose views
 * have a reading. Each value is checked when it is read (output/view/json_reader.h). */
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
    const struct result_reading *reading; /* of that kind */
    /* The measurement; of an experiment with two sides the first; of a ladder its run. Of other
     * kinds what all have: when, where, by which command, and the verdict. */
    struct result result;
    struct result second;         /* of two sides */
    bool has_sides;               /* it has the whole measurements of two sides */
    struct breakdown *breakdowns; /* of explanations and ladders */
    size_t breakdown_count;
    void *own; /* what a kind of another form is, in the result's arena; else NULL */
    /* The whole results that a result consists of, in its arena, as if each had been read from a
     * file of its own; and the key of one in the result that contains it. */
    struct result_file *parts;
    size_t part_count;
    const char *key;
    struct result_finding *findings; /* of a survey, in the result's arena */
    size_t finding_count;
};

/* How the files of a kind are read again, and what compare and report make of them. Files of two
 * kinds that have the same reading can be shown and compared together. */
struct result_reading {
    const char *plural; /* "ladders", in the list of what a command takes */
    /* Set FILE from ROOT, the JSON of a file that PATH names in messages. 0, or a negative errno
     * with ERROR set. */
    int (*read)(struct result_file *file, const json_t *root, const char *path,
                struct error *error);
    bool has_ops; /* the result has ops like a measurement's */
    /* How compare writes two files side by side where they have no figures that are compared: as
     * text, and as a page of HTML. DATA is an array of two struct result_file. Report refuses such
     * kinds. NULL: they have figures. */
    file_writer write_pair, write_pair_page;
    /* Keep of FILE's OWN the ops that WANTED names, as result_names_op() takes it. False if none is
     * left. NULL: its ops are those of its breakdowns. */
    bool (*choose)(struct result_file *file, const char *wanted);
};

/* Read what all kinds but measurements have from ROOT into RESULT: when, where, by which command,
 * and the verdict. */
void result_file_read_origin(struct json_reader *reader, const json_t *root, struct result *result);

extern const struct result_reading measurement_reading;

/* Read the side KEY of two from ROOT into SIDE, as a measurement. 0, or a negative errno with ERROR
 * set. */
int result_file_read_side(const json_t *root, const char *key, const char *path,
                          struct result *side, struct error *error);

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

/* Has the result in FILE a list of ops, as a measurement has? It has if it has the whole
 * measurements of two sides; otherwise its kind says whether it has. */
bool result_file_has_ops(const struct result_file *file);

/* What FILE is, for people: its kind's name, or "a measurement of two sides". */
const char *result_file_name(const struct result_file *file);

/* Can files A and B be shown and compared together? */
bool result_files_fit(const struct result_file *a, const struct result_file *b);
