/* A command, and the table of all commands, which main() passes to the command line. */
#pragma once

#include <stdio.h>

#include "job/options.h"
#include "job/part.h"
#include "output/view/view.h"

/* The heading under which the first page of the help lists a command. */
enum command_purpose {
    PURPOSE_MEASURE,
    PURPOSE_UNDERSTAND,
    PURPOSE_KEEP,
    PURPOSE_SUPPORT,
    PURPOSES,
};

/* The kind of words, other than options, that a command takes. The shell completes such words. */
enum command_words {
    WORDS_OTHER,
    WORDS_TARGET,     /* one word: a target */
    WORDS_TARGET_OPS, /* a target, and ops */
    WORDS_FILE,       /* one word: a file */
    WORDS_FILES,
};

/* A form for a command's own kinds of results. The unit's CMakeLists.txt adds ID to form_id. */
struct command_form {
    enum form_id id;
    const struct form *form;
};

/* A mode that command A adds to other commands: another way to run them. Command B has the mode if
 * a group of options that B takes contains own options of A. These options ask for the mode. */
struct command_mode {
    /* Set the defaults of the mode's options. Called before each parse. */
    void (*set_defaults)(void);
    /* Do OPTIONS, of a command that has the mode, ask for the mode? */
    bool (*is_asked)(const struct options *options);
    /* Run the mode in place of OPTIONS' command. Returns what `run` of struct command returns. */
    int (*run)(const struct options *options, int *status, struct error *error);
};

/* A topic of the help, for "nfsbench help NAME". */
struct command_topic {
    const char *name;
    enum option_section section; /* section of the help whose options the topic shows */
    const char *rest;            /* text that is printed after the options */
};

struct agent_server;

struct command {
    const char *name;
    const char *usage;         /* text after "nfsbench" */
    const char *summary;       /* line for the list of commands; NULL: the command is hidden */
    const char *about;         /* paragraphs, each a single line that is wrapped when printed */
    const char *examples;      /* lines with examples; NULL: none */
    const char *first_example; /* line among the examples on the help's first page; NULL: none */
    const char *status; /* exit statuses, if they differ from the usual ones; otherwise NULL */
    enum command_purpose purpose;
    enum command_words words;
    unsigned groups;                /* groups of options that the command takes */
    const struct option_entry *own; /* own options, ended by an entry without a name; NULL: none */
    const char *own_title;          /* heading of SECTION_OWN in the help, such as "probe" */
    /* mode that the command's options add to other commands; NULL: none */
    const struct command_mode *mode;
    /* Set the command's own options whose default is not 0 (all own options are 0 before), and
     * shared options whose default for this command differs from the one that options_parse() sets.
     * Called before each parse. NULL: nothing to set. */
    void (*set_defaults)(struct options *options);
    /* The views of the kinds of results that the command makes, ended by NULL; NULL: no results. */
    const struct view *const *views;
    /* the command's own forms, ended by an entry without a form; NULL: none */
    const struct command_form *forms;
    bool clients_are_processes; /* on a mount, --clients is the number of calling processes */
    /* Check combinations of options that the options' entries don't exclude. Called for this
     * command and for commands to which it adds a mode. PLAN is the plan made so far; NULL: there
     * is no plan. Returns 0, or -EINVAL with ERROR set (ERROR_USAGE). May be NULL. */
    int (*check)(const struct options *options, const struct run_plan *plan, struct error *error);
    /* Print further help after ABOUT; NULL: none. */
    void (*help)(FILE *out);
    /* On the server's machine ('nfsbench agent --events'), answer the questions that this command
     * sends from another machine. Returns 0, or a negative errno with ERROR set. May be NULL. */
    int (*answer)(const struct agent_server *server, struct error *error);
    /* Make PLAN as plan_make() does, from the mix in FILE, a JSON object, which was given to any
     * command. The first command that has this function reads the mixes of all commands. Returns 0,
     * or a negative errno with ERROR set. May be NULL. */
    int (*plan_file)(struct run_plan *plan, const struct options *options, const char *file,
                     struct error *error);
    /* A topic that the command adds to the help; NULL: none. */
    const struct command_topic *topic;
    /* The command is the embedded server (self_use()). True for one command at most. */
    bool is_embedded_server;
    /* Check that the embedded server can accept calls with Kerberos on this machine. Returns 0, or
     * a negative errno with ERROR set. NULL unless IS_EMBEDDED_SERVER. */
    int (*check_kerberos)(struct error *error);
    /* Run the command. Returns 0, with the exit status in *STATUS (0 before the call); or a
     * negative errno with ERROR set. The caller prints ERROR, and ERROR's kind is then the exit
     * status. */
    int (*run)(const struct options *options, int *status, struct error *error);
};

/* The program's commands and options. */
struct command_table {
    /* Commands in the order of the help, ended by NULL. A user may leave out the name of the first
     * command. */
    const struct command *const *commands;
    const struct option_entry *options; /* shared options, ended by an entry without a name */
    /* Views of results that several commands read; ended by NULL. */
    const struct view *const *views;
    const struct part *const *parts; /* optional parts that are built in, ended by NULL */
};

/* Use TABLE, which must stay valid, from now on. Before, there are no commands and no options. */
void commands_use(const struct command_table *table);

/* Return command number INDEX (from 0) in the order of the help, or NULL after the last. */
const struct command *command_at(size_t index);

const struct command *command_find(const char *name);

/* Call check() of OPTIONS' command and of commands that add a mode to it, until one fails. Returns
 * 0, or the error of check(). */
int commands_check(const struct options *options, const struct run_plan *plan, struct error *error);

/* Return the mode that OPTIONS ask for and another command adds; NULL if they ask for none. */
const struct command_mode *command_mode_of(const struct options *options);

/* Set the defaults of COMMAND's mode, and of the modes that other commands add to COMMAND. */
void command_modes_set_defaults(const struct command *command);

/* List in ENTRIES all options that COMMAND takes, ended by NULL: its own options, other commands'
 * own options that are in its groups, then shared options. Returns the number of options. */
size_t options_of(const struct command *command,
                  const struct option_entry *entries[OPTIONS_MAXIMUM + 1]);

const struct command *command_of_self(void);

/* Return the option with number INDEX (from 0) among all options: shared options, then commands'
 * own options; NULL after the last. */
const struct option_entry *command_option_at(size_t index);

/* Print TEXT, wrapped for a page of help, and a newline to OUT. The cursor is at COLUMN; lines
 * after the first are indented by INDENT columns. */
void help_wrap(const char *text, int column, int indent, FILE *out);

/* Write to BUFFER the commands whose help lists the option NAME, as "'nfsbench run' and 'nfsbench
 * sweep'". Returns BUFFER. */
const char *commands_that_take(const char *name, char *buffer, size_t size);
