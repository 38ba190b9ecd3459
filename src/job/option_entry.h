/* An option: an entry in the table of shared options (job/option_table.c), among a part's options,
 * or a command's own (OWN in struct command). It determines parsing, refusals, help, completion. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* The groups of options, as bits of a set. A command names the groups that it takes; an option
 * names the groups that it belongs to. COMMAND_x: options that command x takes. */
enum option_group {
    COMMAND_RUN = 1 << 0,
    COMMAND_MPI = 1 << 1, /* nfsbench-mpi */
    COMMANDS_RUN = COMMAND_RUN | COMMAND_MPI,

    GROUP_SCRATCH = 1 << 15,    /* the scratch directory of a command */
    GROUP_ALL = 1 << 16,        /* taken by every command */
    GROUP_FORMS = 1 << 17,      /* a result's forms, --force, --verbose, --wide and --color */
    GROUP_CALLING = 1 << 18,    /* how and as which user to reach a server, and --quiet */
    GROUP_SECURITY = 1 << 19,   /* security flavor, and TLS */
    GROUP_MEASURING = 1 << 20,  /* for commands that measure ops which the user names */
    GROUP_JUDGED = 1 << 21,     /* how the verdict determines the exit status */
    GROUP_POINT = 1 << 22,      /* a single size, load and precision (a sweep takes lists) */
    GROUP_SERVER = 1 << 23,     /* observing the server */
    GROUP_WIDTH = 1 << 24,      /* --wide, in commands without forms */
    GROUP_COLOURS = 1 << 25,    /* --color, in commands without forms */
    GROUP_HISTOGRAMS = 1 << 26, /* --hist */
    GROUP_FORCE = 1 << 27,      /* --force, in commands without forms */
    GROUP_ENGINE = 1 << 28,     /* the engine, --batch, --pin, --count-resent and --contexts */
    GROUP_LAUNCHES = 1 << 29,   /* number and times of launches, and their servers */
    GROUP_NOT_OWN = 1 << 30,    /* for a command's own option that only other commands take */

    /* Sets of groups for commands that call a server, and for commands that measure. */
    GROUPS_CALLING = GROUP_ALL | GROUP_CALLING | GROUP_FORMS,
    GROUPS_MEASURING =
        GROUPS_CALLING | GROUP_SCRATCH | GROUP_MEASURING | GROUP_SECURITY | GROUP_JUDGED,
    GROUPS_RUN =
        GROUPS_MEASURING | GROUP_POINT | GROUP_SERVER | GROUP_ENGINE | GROUP_LAUNCHES | COMMAND_RUN,
    GROUPS_MPI = GROUPS_MEASURING | GROUP_POINT | GROUP_ENGINE | COMMAND_MPI,
};

/* The type of an option's value, and of the variable that holds it. */
enum option_kind {
    OPTION_FLAG,   /* bool, set to true; takes no value */
    OPTION_TEXT,   /* const char *, not empty */
    OPTION_FILE,   /* a file name, as OPTION_TEXT */
    OPTION_NAME,   /* const char *: the name of one of CHOICES */
    OPTION_CHOICE, /* int: the value of one of CHOICES */
    OPTION_COUNT,  /* uint64_t */
    OPTION_RATE,   /* double: calls per second, given as a whole number */
    OPTION_NUMBER, /* uint32_t */
    OPTION_SIZE,   /* uint32_t, bytes */
    OPTION_OFFSET, /* uint64_t, bytes */
    OPTION_TIME,   /* uint64_t, ns; not 0 */
    OPTION_PORT,   /* uint16_t, 1 to 65535 */
    OPTION_LIST,   /* struct option_list: each use of the option adds a text */
    OPTION_OTHER,  /* the type that the entry's own parser stores */
};

enum { OPTION_LIST_MAXIMUM = 32 };

struct option_list {
    const char *values[OPTION_LIST_MAXIMUM];
    size_t count;
};

/* The sections of the help, which does not list options of SECTION_HIDDEN. */
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
    SECTION_PRINTED, /* rest of SECTION_OUTPUT, under the same heading */
    SECTION_GENERAL,
    SECTIONS,
};

struct command;

/* Return the heading of SECTION in the help of COMMAND, such as "transport and identity". */
const char *option_section_title(enum option_section section, const struct command *command);

/* A value that an option can have. */
struct option_choice {
    const char *name; /* name of the value; NULL ends a list of choices */
    int value;
};

/* A relation of an option to other options. Options that a command does not take are ignored. */
struct option_relation {
    const char *names; /* names of the other options, separated by '|'; NULL: no relation */
    /* part of the error message that says why; NULL: none */
    const char *reason;
};

enum { OPTION_EXCLUSIONS_MAXIMUM = 4 };

/* How a shell completes an option's value. */
struct option_completion {
    const char *kind; /* function of the completion script (cli/completion.c), such as "words" */
    /* return the name with number INDEX (from 0); NULL after the last */
    const char *(*name_at)(size_t index);
    const char *ending; /* text that is appended to each name */
    const char *(*value_at)(
        size_t index); /* return value number INDEX, the same for all names; NULL: no values */
};

struct option_entry;

/* Parse TEXT into MEMBER. Returns 0, or a negative errno with ERROR set (ERROR_USAGE). */
typedef int option_parser(const struct option_entry *entry, const char *text, void *member,
                          struct error *error);

struct option_entry {
    const char *name;
    char letter; /* short name; 0: none */
    enum option_kind kind;
    enum option_section section;
    /* Set of groups that the option belongs to. A command's own option is also taken by
     * other commands that take one of these groups. */
    unsigned groups;
    /* offset and size of the option's member in struct options; with OWN, 0 and the size of *OWN */
    size_t offset, size;
    const char *value; /* name of the value in the help; NULL for flags */
    const char *help;
    /* Further groups. A command that takes one of these, but none of GROUPS, takes the option and
     * doesn't list it in its help: the option has no effect there, or is refused. */
    unsigned silent;
    uint64_t minimum, maximum; /* limits of a number; MAXIMUM 0: the maximum of its type */
    const struct option_choice *choices; /* choices of OPTION_NAME and OPTION_CHOICE */
    struct option_relation needs;        /* one of these options must be given with this option */
    /* options that must not be given with this option */
    struct option_relation excludes[OPTION_EXCLUSIONS_MAXIMUM];
    option_parser *parse;                       /* parser of OPTION_OTHER */
    const struct option_completion *completion; /* NULL: derived from type or choices */
    void *own;   /* variable that a command's own option sets; NULL: member at OFFSET */
    bool varies; /* --vary accepts several values of the option */
    /* The option writes a file or runs a command on this machine, or modifies such an option. */
    bool acts;
};

/* For an entry of a command's own option: OPTION_SETS stores the value in VARIABLE, OPTION_SHARES
 * in MEMBER of struct options. */
#define OPTION_SETS(variable) .own = &(variable), .size = sizeof(variable)
#define OPTION_SHARES(member)                                                                      \
    .offset = offsetof(struct options, member),                                                    \
    .size = sizeof(((const struct options *)NULL)->member)

/* option_entries_begin() empties the list of shared options; option_entries_add() adds ENTRY. */
void option_entries_begin(void);
void option_entries_add(const struct option_entry *entry);

/* Return the shared option with number INDEX (from 0), or NULL after the last. */
const struct option_entry *option_at(size_t index);

enum { OPTIONS_MAXIMUM = 256 };

/* Does COMMAND take ENTRY's option and list it in its help? An option of SECTION_HIDDEN counts as
 * listed. */
bool option_is_listed(const struct option_entry *entry, const struct command *command);

/* Is ENTRY one of COMMAND's own options, but not one for other commands only (GROUP_NOT_OWN)? */
bool option_is_own(const struct option_entry *entry, const struct command *command);

/* Does COMMAND take ENTRY's option, even if its help does not list it? */
bool option_is_taken(const struct option_entry *entry, const struct command *command);
