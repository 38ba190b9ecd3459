/* A command line as typed values; a command uses the values of the options that it takes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "job/forms.h"
#include "job/launch_options.h"
#include "job/option_entry.h"
#include "job/option_values.h"
#include "measure/statistics/precision.h"
#include "run/plan.h"

struct options {
    const struct command *command;
    bool help, version, force;
    const char *completion;                /* the shell to complete for */
    char **words;                          /* the words that are not options, in order */
    size_t word_count, words_after_dashes; /* all of them; those after "--" */

    /* What options say of a run, and their defaults; plan_make() adds what the words say. Other
     * commands that call a server, or are one, use parts of it. */
    struct run_plan plan;

    /* The launches of a run, and reports on it. */
    const char *interval_log;
    struct launches_request launches; /* no servers: the default */
    struct launch_order launch;

    struct option_versus versus;

    /* How to reach the server, where its target does not say it. */
    int proto; /* enum transport */
    uint16_t port, mount_port;
    uint64_t
        tcp_timeout_ns; /* the time that a TCP call waits for its reply if no --timeout was given */

    /* Results that were written. */
    const char *ops; /* only these, with commas between; NULL: all */

    /* What is printed and written. */
    form_paths forms;   /* the file of each form */
    const char *output; /* the file of what is no form: a page, a picture, a workload */
    bool allow_suspect, histograms, verbose, wide;
    bool one_processor;     /* client and server are bound to one processor */
    uint64_t wait_quiet_ns; /* how long to wait for a quiet machine at most; 0: not at all */
    int colours;            /* enum terminal_colours */

    bool any_flavor; /* calls are made by several flavors in turn: options of any of them are taken
                      */

    /* By an option's place among those of the command: its value as it was given last, "" of a
     * flag; NULL: it was not given. */
    const char *given[OPTIONS_MAXIMUM + 1];
};

/* Parse ARGV, whose first word is COMMAND's name, into OPTIONS; options that are not given have
 * their defaults. The words that are not options are moved to the beginning of ARGV, in order. 0,
 * or -EINVAL with ERROR set (ERROR_USAGE). */
int options_parse(struct options *options, const struct command *command, int argc, char **argv,
                  struct error *error);

/* The same for another table. */
struct option_parser {
    const struct option_entry *const *entries; /* NULL ends them */
    void *values;                              /* with their members */
    const char **given;                        /* for each of them, as in struct options */

    /* The words that are not options; and those of them after "--". */
    char **words;
    size_t word_count, words_after_dashes;

    char **argv;
    int argc, at;
};

int options_parse_by(struct option_parser *parser, int argc, char **argv, struct error *error);

/* Set the member of ENTRY in VALUES (struct options, or another table's) to TEXT; NULL for a flag.
 * 0, or -EINVAL with ERROR set. */
int options_store(const struct option_entry *entry, const char *text, void *values,
                  struct error *error);

/* The place in ENTRIES, which NULL ends, of the option that NAME, of LENGTH letters, names or
 * abbreviates; of none or of several, *MATCHES says how many there are. */
size_t options_match(const struct option_entry *const *entries, const char *name, size_t length,
                     size_t *matches);

/* The option called NAME in one of GROUPS, or NULL. */
const struct option_entry *options_find(unsigned groups, const char *name);

/* Was the option given whose member is at OFFSET? */
bool options_given_at(const struct options *options, size_t offset);
#define options_given(options, member) options_given_at(options, offsetof(struct options, member))

/* Let an option that the command takes count as given: something else has set its member. */
void options_give_at(struct options *options, size_t offset);
#define options_give(options, member) options_give_at(options, offsetof(struct options, member))

/* Refuse the first word, if there is one that is no option. 0, or -EINVAL with ERROR set. */
int options_refuse_words(const struct options *options, struct error *error);
