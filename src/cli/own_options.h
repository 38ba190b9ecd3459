/* The options of a command that takes those of the measuring run, too: they are taken out of the
 * command line, and what is left is a measuring run's. */
#ifndef NFSBENCH_CLI_OWN_OPTIONS_H
#define NFSBENCH_CLI_OWN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "common/error.h"

struct own_option {
    const char *name;     /* long name; NULL ends the table */
    char letter;          /* short name, or 0 */
    size_t offset;        /* of the member: const char * for the value, or bool for a flag */
    const char *argument; /* the value's name in the help; NULL for flags */
    const char *help;
};

/* What is left of a command line. */
struct own_words {
    char **words; /* ARGV[0] first; room for as many as there were and a NULL */
    int count;
    bool help; /* asked for, by whatever name */
};

/* Take the options of TABLE, which may not be abbreviated, out of ARGV into SETTINGS; what is left
 * goes to WORDS, to be freed by own_words_free() in any case. 0, or a negative errno with ERROR
 * set. */
int own_options_take(const struct own_option *table, int argc, char **argv, void *settings,
                     struct own_words *words, struct error *error);
void own_words_free(struct own_words *words);

/* Print the table, one option after the other, aligned. */
void own_options_help(const struct own_option *table, FILE *out);

#endif
