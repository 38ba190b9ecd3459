/* Command-line options from one table: it is parsed by it, and it prints the help. */
#ifndef NFSBENCH_CLI_OPTIONS_H
#define NFSBENCH_CLI_OPTIONS_H

#include <stddef.h>
#include <stdio.h>

#include "common/error.h"

/* What an option's value is, and the type of the member that it goes to. */
enum option_kind {
    OPTION_FLAG,   /* bool, set to true; takes no value */
    OPTION_TEXT,   /* const char *, as given */
    OPTION_COUNT,  /* uint64_t */
    OPTION_NUMBER, /* uint32_t: a count within 32 bits */
    OPTION_SIZE,   /* uint32_t, bytes: within 32 bits */
    OPTION_OFFSET, /* uint64_t, bytes */
    OPTION_TIME,   /* uint64_t, ns; not 0 */
    OPTION_PORT,   /* uint16_t, 1 to 65535 */
    OPTION_LIST,   /* struct option_list: each use adds one */
};

enum { OPTION_LIST_MAXIMUM = 32 };

struct option_list {
    const char *values[OPTION_LIST_MAXIMUM];
    size_t count;
};

struct option_entry {
    const char *name; /* long name; NULL ends the table */
    char letter;      /* short name, or 0 */
    enum option_kind kind;
    size_t offset;        /* of the member in the command's settings */
    const char *argument; /* the value's name in the help; NULL for flags */
    const char *help;
};

/* Parse ARGV into SETTINGS; the words that are no options are left, in order, at the end of ARGV,
 * from *FIRST on. 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int options_parse(const struct option_entry *table, int argc, char **argv, void *settings,
                  int *first, struct error *error);

/* The same for a command that takes no words: one is refused in the name of COMMAND. */
int options_parse_alone(const struct option_entry *table, const char *command, int argc,
                        char **argv, void *settings, struct error *error);

/* Print the table, one option after the other, aligned. */
void options_help(const struct option_entry *table, FILE *out);

#endif
