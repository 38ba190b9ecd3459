/* An option: an entry of the table of shared options (job/option_table.c), or of a command's own
 * (struct command, own). Parsing, refusals, help and the shells' completion are made from it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* The groups of options, as bits of a set. A command names the groups that it takes; an option
 * names the groups that it is in. COMMAND_x is the group of one command: options of it alone that
 * are in the shared table. */
enum option_group {
    COMMAND_RUN = 1 << 0,
    COMMAND_MPI = 1 << 1, /* nfsbench-mpi */
    COMMANDS_RUN = COMMAND_RUN | COMMAND_MPI,

    GROUP_SCRATCH = 1 << 15,    /* the scratch directory that a command makes */
    GROUP_ALL = 1 << 16,        /* every command takes it */
    GROUP_FORMS = 1 << 17,      /* in which forms a result is written */
    GROUP_CALLING = 1 << 18,    /* how to reach a server */
    GROUP_SECURITY = 1 << 19,   /* by which flavor, and over TLS */
    GROUP_MEASURING = 1 << 20,  /* what a measurement calls, and how */
    GROUP_JUDGED = 1 << 21,     /* whether the verdict decides the exit status */
    GROUP_POINT = 1 << 22,      /* one size, load and precision, which a sweep has lists of */
    GROUP_SERVER = 1 << 23,     /* how to observe the server */
    GROUP_WIDTH = 1 << 24,      /* --wide, without forms */
    GROUP_COLOURS = 1 << 25,    /* --color, likewise */
    GROUP_HISTOGRAMS = 1 << 26, /* --hist */
    GROUP_FORCE = 1 << 27,      /* --force, likewise */
    GROUP_ENGINE = 1 << 28,     /* which engine makes the calls, and how */
    GROUP_LAUNCHES = 1 << 29,   /* in how many processes, and with which servers */
    GROUP_NOT_OWN = 1 << 30,    /* of a command's own option: others alone take it */

    /* What most of the commands take that call a server, or measure. */
    GROUPS_CALLING = GROUP_ALL | GROUP_CALLING | GROUP_FORMS,
    GROUPS_MEASURING =
        GROUPS_CALLING | GROUP_SCRATCH | GROUP_MEASURING | GROUP_SECURITY | GROUP_JUDGED,
    GROUPS_RUN =
        GROUPS_MEASURING | GROUP_POINT | GROUP_SERVER | GROUP_ENGINE | GROUP_LAUNCHES | COMMAND_RUN,
    GROUPS_MPI = GROUPS_MEASURING | GROUP_POINT | GROUP_ENGINE | COMMAND_MPI,
};

/* The type of an option's value, and of the member of struct options that holds it. */
enum option_kind {
    OPTION_FLAG,   /* bool, set to true; takes no value */
    OPTION_TEXT,   /* const char *, not empty */
    OPTION_FILE,   /* the same; the name of a file */
    OPTION_NAME,   /* const char *: the name of one of its choices */
    OPTION_CHOICE, /* int: the value of one of its choices */
    OPTION_COUNT,  /* uint64_t */
    OPTION_RATE,   /* double: a count */
    OPTION_NUMBER, /* uint32_t */
    OPTION_SIZE,   /* uint32_t, bytes */
    OPTION_OFFSET, /* uint64_t, bytes */
    OPTION_TIME,   /* uint64_t, ns; not 0 */
    OPTION_PORT,   /* uint16_t, 1 to 65535 */
    OPTION_LIST,   /* struct option_list: each use adds a text */
    OPTION_OTHER,  /* what the entry's own parser makes of it */
};

enum { OPTION_LIST_MAXIMUM = 32 };

struct option_list {
    const char *values[OPTION_LIST_MAXIMUM];
    size_t count;
};

/* The sections of the help; hidden options are in none of them. */
enum option_section {
    SECTION_HIDDEN,
    SECTION_VARIANTS,
    SECTION_OWN, /* a command's own options; its heading is the command's own_title */
    SECTION_CALLS,
    SECTION_COUNT,
    SECTION_LOAD,
    SECTION_METHOD,
    SECTION_BESIDE,
    SECTION_SIDES,
    SECTION_TRANSPORT,
    SECTION_SCRATCH,
    SECTION_SERVER,
    SECTION_INJECTION,
    SECTION_OUTPUT,
    SECTION_PRINTED, /* the rest of SECTION_OUTPUT, under the same heading */
    SECTION_GENERAL,
    SECTIONS,
};

struct command;

/* Its heading in the help of COMMAND: "transport and identity". */
const char *option_section_title(enum option_section section, const struct command *command);

/* One of the values that an option can have. */
struct option_choice {
    const char *name; /* NULL ends a list of them */
    int value;
};

/* Other options: their names, with '|' between, and why: the end of a sentence about the option.
 * Those that a command does not take are not meant. */
struct option_relation {
    const char *names;  /* NULL: there are none */
    const char *reason; /* NULL: none is given */
};

enum { OPTION_EXCLUSIONS_MAXIMUM = 4 };

/* How a shell completes an option's value. */
struct option_completion {
    const char *kind; /* the script's function for it (cli/completion.c), such as "words" */
    const char *(*name_at)(size_t index);  /* a word to choose; NULL after the last */
    const char *ending;                    /* of each of these words */
    const char *(*value_at)(size_t index); /* after each name; NULL: there is none to choose */
};

struct option_entry;

/* Parse TEXT into MEMBER. 0, or -EINVAL with ERROR set, which names the option. */
typedef int option_parser(const struct option_entry *entry, const char *text, void *member,
                          struct error *error);

struct option_entry {
    const char *name; /* long name */
    char letter;      /* short name, or 0 */
    enum option_kind kind;
    enum option_section section;
    unsigned groups; /* the set of those that it is in; of a command's own option, of those whose
                        takers take it, too */
    size_t offset, size; /* of its member in struct options; or OFFSET is 0, and SIZE that of OWN */
    const char *value;   /* the value's name in the help; NULL for flags */
    const char *help;
    unsigned silent; /* more groups: commands that take only these take it, but don't list it in
                        their help, because it has no effect there */
    uint64_t minimum, maximum;           /* of a number; MAXIMUM 0: the maximum of its type */
    const struct option_choice *choices; /* of OPTION_NAME and OPTION_CHOICE */
    struct option_relation needs;        /* one of them must be given, too */
    struct option_relation excludes[OPTION_EXCLUSIONS_MAXIMUM]; /* none of them may be given, too */
    option_parser *parse;                                       /* of OPTION_OTHER */
    const struct option_completion *completion; /* NULL: as its type or choices say */
    void *own;   /* the variable that it sets, of a command's own option; NULL: at OFFSET */
    bool varies; /* --vary can give it several values */
    bool acts;   /* it has a file written or a command run on this machine, or goes with an option
                    that has */
};

/* Where a command's own option goes: to the command's VARIABLE, or to MEMBER of struct options. */
#define OPTION_SETS(variable) .own = &(variable), .size = sizeof(variable)
#define OPTION_SHARES(member)                                                                      \
    .offset = offsetof(struct options, member),                                                    \
    .size = sizeof(((const struct options *)NULL)->member)

/* Begin with no shared options; then add ENTRY to them. */
void option_entries_begin(void);
void option_entries_add(const struct option_entry *entry);

/* Entry INDEX of the shared options, or NULL after the last. */
const struct option_entry *option_at(size_t index);

/* The most options that a command can have. */
enum { OPTIONS_MAXIMUM = 256 };

/* Does COMMAND's help list the option of ENTRY? */
bool option_is_listed(const struct option_entry *entry, const struct command *command);

/* Is it one of the own options of COMMAND that this takes itself? */
bool option_is_own(const struct option_entry *entry, const struct command *command);

/* Does COMMAND take it, listed or not? */
bool option_is_taken(const struct option_entry *entry, const struct command *command);
