/* The commands, and the one way in which each is started and ends. Exit status: 0; 1 the
 * measurement failed or is invalid; 2 usage; 3 the server could not be reached. */
#ifndef NFSBENCH_CLI_COMMAND_H
#define NFSBENCH_CLI_COMMAND_H

#include <stdio.h>

#include "cli/options.h"

struct command {
    enum command_bit bit;
    const char *name;
    const char *usage;    /* what follows "nfsbench" */
    const char *summary;  /* a line in the list of commands; NULL: hidden */
    const char *about;    /* paragraphs, a line each; wrapped when they are printed */
    const char *examples; /* lines; NULL: none */
    const char *status;   /* its exit statuses, if they are not the usual 0, 1, 2 and 3 above */
    /* Print the rest of its help, after ABOUT; NULL: nothing. */
    void (*help)(FILE *out);
    /* Do it. 0, or a negative errno with ERROR set, which is printed and whose kind is the exit
     * status; else *STATUS is, which is 0 at first. */
    int (*run)(const struct options *options, int *status, struct error *error);
};

/* Each is in the file of its name, but run (measure.c). */
extern const struct command command_run, command_sweep, command_explain, command_compare,
    command_history, command_plot, command_report, command_clean, command_doctor, command_serve,
    command_agent;

/* The commands in the order of the help: number INDEX, or NULL after the last. */
const struct command *command_at(size_t index);

/* The command called NAME, or NULL. */
const struct command *command_find(const char *name);

/* "'nfsbench run' and 'nfsbench sweep'": who takes an option called NAME. Returns BUFFER. */
const char *commands_that_take(const char *name, char *buffer, size_t size);

/* Do what the command line says, as main() gets it. Returns the exit status. */
int command_main(int argc, char **argv);

/* Parse ARGV, whose first word is COMMAND's name, and do it, or print its help. Returns the exit
 * status. */
int command_start(const struct command *command, int argc, char **argv);

/* A command that takes no words refuses the first. 0, or -EINVAL with ERROR set. */
int command_refuse_words(const struct options *options, struct error *error);

/* Their help, from the descriptions and the table of options; 80 columns wide at most. */

/* Print the whole help of COMMAND. */
void help_print(const struct command *command, FILE *out);

/* Print the options of ENTRIES, ended by NULL, by sections. */
void help_options(const struct option_entry *const *entries, FILE *out);

/* Print TEXT in lines that are indented by INDENT columns, which those before the first have
 * already, from column COLUMN on; then a newline. */
void help_wrap(const char *text, int column, int indent, FILE *out);

/* Print the script for SHELL: bash, zsh or fish. */
void completion_print(const char *shell, FILE *out);

#endif
