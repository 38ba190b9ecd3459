/* A command line as typed values. Only values of options that the command takes are meaningful. */
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
    const char *completion;                /* shell to complete for; NULL: none */
    char **words;                          /* words that are not options, in order */
    size_t word_count, words_after_dashes; /* number of WORDS; of those after "--" */

    /* Settings of a run from options and defaults. plan_make() copies them to its plan, and adds
     * the words. Commands without a run use some of these settings. */
    struct run_plan plan;

    /* file of --interval-log; NULL: none */
    const char *interval_log;
    struct launches_request launches; /* number of launches; SERVERS is 0 without --launches */
    struct launch_order launch;

    struct option_versus versus;

    /* How to reach the server; if given, these values replace the target's */
    int proto; /* enum transport */
    uint16_t port, mount_port;
    /* Time to wait for a reply over TCP if --timeout is not given, ns. */
    uint64_t tcp_timeout_ns;

    /* Stored results */
    const char *ops; /* ops to show, separated by commas; NULL: all */

    /* Output */
    form_paths forms;   /* path of each form's file */
    const char *output; /* file for output that is not a form: a page, a picture, a workload */
    bool allow_suspect, histograms, verbose, wide;
    bool one_processor;     /* bind client and server to the same processor */
    uint64_t wait_quiet_ns; /* maximum time to wait for a quiet machine, ns; 0: do not wait */
    int colours;            /* enum terminal_colours */

    bool any_flavor; /* calls use several flavors, so the options of each flavor are allowed */

    /* For each of the command's options, in the order of options_of(), the last given value ("" for
     * a flag, or after options_give()); NULL: not given. */
    const char *given[OPTIONS_MAXIMUM + 1];
};

/* Parse ARGV, whose first word is COMMAND's name, into OPTIONS. Options that are not given have
 * their defaults. Words that are not options are moved to the places from ARGV[1] on, in order.
 * Returns 0, or a negative errno with ERROR set (ERROR_USAGE). */
int options_parse(struct options *options, const struct command *command, int argc, char **argv,
                  struct error *error);

/* The state of options_parse_by(), which stores the values of any list of options in any structure,
 * without setting defaults first. options_parse_by() returns as options_parse() does. */
struct option_parser {
    const struct option_entry *const *entries; /* ended by NULL */
    void *values;       /* structure in which the entries' values are stored */
    const char **given; /* all NULL at first; set to the values as in struct options */

    /* Set to the words that are not options, their number, and the number of those after "--". Both
     * numbers are 0 at first. */
    char **words;
    size_t word_count, words_after_dashes;

    char **argv;
    int argc, at;
};

int options_parse_by(struct option_parser *parser, int argc, char **argv, struct error *error);

/* Set ENTRY's OWN or, if that is NULL, its member in VALUES (struct options, or another structure)
 * to the value in TEXT. TEXT is NULL for a flag. Returns 0, or a negative errno with ERROR set. */
int options_store(const struct option_entry *entry, const char *text, void *values,
                  struct error *error);

/* Return the index in ENTRIES, ended by NULL, of the option that NAME, of LENGTH letters, names or
 * abbreviates. *MATCHES becomes the number of matches (1 for a full name). The index is valid only
 * for one match. */
size_t options_match(const struct option_entry *const *entries, const char *name, size_t length,
                     size_t *matches);

/* Return the shared option called NAME that is in one of GROUPS, or NULL. */
const struct option_entry *options_find(unsigned groups, const char *name);

/* Was the option given whose member is at OFFSET? */
bool options_given_at(const struct options *options, size_t offset);
#define options_given(options, member) options_given_at(options, offsetof(struct options, member))

/* Mark as given the option whose member is at OFFSET, after the member was set in another way. The
 * command must take the option. */
void options_give_at(struct options *options, size_t offset);
#define options_give(options, member) options_give_at(options, offsetof(struct options, member))

/* Refuse the first word that is not an option, if any. Returns 0, or -EINVAL with ERROR set. */
int options_refuse_words(const struct options *options, struct error *error);
