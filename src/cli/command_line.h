/* A command line, its command, and how that starts and ends. Exit status: 0; 1 the measurement
 * failed or is invalid; 2 usage; 3 the server could not be reached. */
#pragma once

#include <stdio.h>

#include "job/command.h"

/* Each is defined in the file of its name, except run (measure.c). */
extern const struct command command_run, command_sweep, command_compare, command_report,
    command_clean, command_doctor;

/* A command line as it was typed, to be recorded: parsing changes the order of its words. */
struct command_line {
    char **words; /* the program's name first; NULL without memory */
    size_t count;
};

/* Copy ARGV, with PROGRAM in place of its first word. The caller frees the words. */
struct command_line command_line_copy(const char *program, int argc, char **argv);

/* Parse ARGV, whose first word is COMMAND's name, and run COMMAND, or print its help. LINE is the
 * whole command line. Returns the exit status. */
int command_start(const struct command *command, const struct command_line *line, int argc,
                  char **argv);

/* Run the command line of main(), whose first word may be a command of TABLE. Returns the exit
 * status. */
int command_main(const struct command_table *table, int argc, char **argv);

/* Run an experiment with the variants that OPTIONS name. Returns as a command's RUN. */
int experiment_command(const struct options *options, enum experiment_preset preset, int *status,
                       struct error *error);

/* The help of the commands, from their descriptions and the table of options; at most 80 columns
 * wide. */

/* Print the first page: the commands, the options that most people use, and examples. */
void help_print_first(FILE *out);

/* Print the help on TOPIC. False where there is none. */
bool help_print_topic(const char *topic, FILE *out);

/* Print what TARGET, OP and COUNT can be. */
void help_print_words(FILE *out);

/* The name of topic INDEX, from 0 on: "all", "ops", "faults"; NULL after the last. */
const char *help_topic_at(size_t index);

/* Print the whole help of COMMAND. */
void help_print(const struct command *command, FILE *out);

/* Set ENTRIES to the options that COMMAND's help lists, in the table's order, then NULL. */
void help_select(const struct command *command,
                 const struct option_entry *entries[OPTIONS_MAXIMUM + 1]);

/* Print the options in ENTRIES, which NULL ends, section by section. COMMAND: whose own options are
 * among them; NULL: there are none. */
void help_options(const struct command *command, const struct option_entry *const *entries,
                  FILE *out);

/* Print TEXT, wrapped, and a newline. The cursor is at COLUMN; each further line is indented by
 * INDENT columns. */
void help_wrap(const char *text, int column, int indent, FILE *out);

/* Print the completion script for bash. */
void completion_print(FILE *out);
