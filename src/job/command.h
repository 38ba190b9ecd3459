/* A command, and the table of all commands, which main() hands to the command line. */
#pragma once

#include <stdio.h>

#include "job/options.h"
#include "job/part.h"
#include "output/view/view.h"

/* Where the first page of the help lists a command. */
enum command_purpose {
    PURPOSE_MEASURE,
    PURPOSE_UNDERSTAND,
    PURPOSE_KEEP,
    PURPOSE_SUPPORT,
    PURPOSES,
};

/* What the words of a command line are that are no options, by which the shell completes them. */
enum command_words {
    WORDS_OTHER,
    WORDS_TARGET,     /* one: a target */
    WORDS_TARGET_OPS, /* a target, and ops */
    WORDS_FILE,       /* one: a file */
    WORDS_FILES,
};

/* A form of results that a command's kinds alone have: its number in the list of forms, which has
 * it from the unit's CMakeLists.txt. */
struct command_form {
    enum form_id id;
    const struct form *form;
};

/* Another way to run commands: what a command's own options that are in groups do to the commands
 * that take these groups. */
struct command_mode {
    void (*set_defaults)(void); /* of these options; called before each parse that takes them */
    /* Do OPTIONS, of another command, ask for it? */
    bool (*is_asked)(const struct options *options);
    /* Run in place of that command. Returns as a command's RUN. */
    int (*run)(const struct options *options, int *status, struct error *error);
};

/* A topic of the help, for "nfsbench help NAME". */
struct command_topic {
    const char *name;
    enum option_section section; /* the command's options that it shows */
    const char *rest;            /* what is printed after them */
};

struct agent_server;

struct command {
    const char *name;
    const char *usage;         /* what follows "nfsbench" */
    const char *summary;       /* a line in the list of commands; NULL: hidden */
    const char *about;         /* paragraphs, a line each; wrapped when they are printed */
    const char *examples;      /* lines; NULL: none */
    const char *first_example; /* a line among the examples of the first help; NULL: none */
    const char *status;        /* its exit statuses, if they differ from those above; else NULL */
    enum command_purpose purpose;
    enum command_words words;
    unsigned groups;                 /* of options, that it takes */
    const struct option_entry *own;  /* its own options, which one without a name ends; or NULL */
    const char *own_title;           /* their heading in the help: "probe" */
    const struct command_mode *mode; /* that they add to other commands; NULL: none */
    /* Set the defaults of its own options that are not 0, and those of others that differ from
     * options_parse()'s; NULL: there are none. Called before each parse. */
    void (*set_defaults)(struct options *options);
    /* The views of the kinds of results that it makes, which NULL ends; NULL: it makes none. */
    const struct view *const *views;
    const struct command_form *forms; /* its own, which one without a form ends; NULL: none */
    bool clients_are_processes; /* on a mount: --clients is a number of processes that call there */
    /* Check what its options mean together, in addition to their entries, also where a command
     * takes them to which it adds a mode. PLAN is what has been made of them so far, by a command
     * that makes calls; else NULL. 0, or -EINVAL with ERROR set (ERROR_USAGE). NULL: nothing more
     * is checked. */
    int (*check)(const struct options *options, const struct run_plan *plan, struct error *error);
    /* Print the rest of its help, after ABOUT; NULL: nothing. */
    void (*help)(FILE *out);
    /* Answer what a run of this command on another machine asks of the server's, as a part of
     * 'nfsbench agent --events'. 0, or a negative errno with ERROR set. NULL: it asks nothing. */
    int (*answer)(const struct agent_server *server, struct error *error);
    /* Make PLAN, as plan_make() does, of the mix in FILE, which begins like an object of JSON. 0,
     * or a negative errno with ERROR set. NULL: it reads no such files. */
    int (*plan_file)(struct run_plan *plan, const struct options *options, const char *file,
                     struct error *error);
    /* A topic that it adds to the help; NULL: none. */
    const struct command_topic *topic;
    /* Is it the server of self: (self_use())? One command at most is. */
    bool is_embedded_server;
    /* Could that take calls protected by Kerberos on this machine? 0, or a negative errno with
     * ERROR set. */
    int (*check_kerberos)(struct error *error);
    /* Run the command. 0, with the exit status in *STATUS (0 before); or a negative errno with
     * ERROR set, which is printed and whose kind is the exit status. */
    int (*run)(const struct options *options, int *status, struct error *error);
};

/* The program's command line: what it can be asked for. */
struct command_table {
    const struct command *const *commands; /* in the order of the help; the first one's name may
                                              be left out; NULL ends them */
    const struct option_entry *options;    /* that they share; one without a name ends them */
    const struct view *const *views;       /* of kinds of results that several commands read, and
                                              perhaps none makes; NULL ends them */
    const struct part *const *parts;       /* what else is built in; NULL ends them */
};

/* Let these be all commands, their views those of all kinds of results, all shared options and
 * parts.
 * Before this call there are none. */
void commands_use(const struct command_table *table);

/* The commands in the order of the help: number INDEX, or NULL after the last. */
const struct command *command_at(size_t index);

/* The command called NAME, or NULL. */
const struct command *command_find(const char *name);

/* Have the CHECK of OPTIONS' command called, and of those that add a mode to it. Returns as they
 * do.
 */
int commands_check(const struct options *options, const struct run_plan *plan, struct error *error);

/* The mode of another command that OPTIONS ask for, or NULL. */
const struct command_mode *command_mode_of(const struct options *options);

/* Set the defaults of COMMAND's mode, and of the modes that others add to it. */
void command_modes_set_defaults(const struct command *command);

/* All options that COMMAND takes, its own first, then those of other commands that are in its
 * groups, then in the table's order; then NULL. Returns their number. */
size_t options_of(const struct command *command,
                  const struct option_entry *entries[OPTIONS_MAXIMUM + 1]);
/* The command that is the server of self:, or NULL. */
const struct command *command_of_self(void);

/* Every option of any command: number INDEX of the table, and after them the commands' own; NULL
 * after the last. */
const struct option_entry *command_option_at(size_t index);

/* In a help: print TEXT, wrapped, and a newline. The cursor is at COLUMN; each further line is
 * indented by INDENT columns. */
void help_wrap(const char *text, int column, int indent, FILE *out);

/* The commands that take an option called NAME, as "'nfsbench run' and 'nfsbench sweep'". Returns
 * BUFFER. */
const char *commands_that_take(const char *name, char *buffer, size_t size);
