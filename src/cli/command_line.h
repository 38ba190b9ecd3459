/* Finds and runs the command of a command line. Exit status: 0: success; 1: failure, or the verdict
 * is not ok; 2: usage; 3: the server could not be reached, refused access or stopped answering;
 * 4: a gate can't decide. */
#pragma once

#include <stdio.h>

#include "job/command.h"

/* The main command, defined in measure.c. */
extern const struct command command_run;

/* A command line as it was typed, for the result. A copy, because parsing reorders ARGV. */
struct command_line {
    char **words; /* the program's name first; NULL if there was no memory */
    size_t count;
};

/* Copy ARGV, with its first word replaced by PROGRAM. The caller frees only the array WORDS. */
struct command_line command_line_copy(const char *program, int argc, char **argv);

/* Parse ARGV after its first word. Run COMMAND, or print its help if ARGV asks for help. LINE is
 * the complete command line. Returns the exit status. */
int command_start(const struct command *command, const struct command_line *line, int argc,
                  char **argv);

/* Run the command line of main(). Its first argument may be a command of TABLE or "help"; the
 * default is TABLE's first command. Returns the exit status. */
int command_main(const struct command_table *table, int argc, char **argv);

/* Help, at most 80 columns wide, and completion, both from commands' descriptions and options. */

/* Print the first page: commands, the most used options, and examples. */
void help_print_first(FILE *out);

/* Print the help on TOPIC. Returns false if there is no such topic. */
bool help_print_topic(const char *topic, FILE *out);

/* Print what TARGET, OP and COUNT can be. */
void help_print_words(FILE *out);

/* Return the name of topic INDEX: "all", "ops", then commands' topics; NULL after the last. */
const char *help_topic_at(size_t index);

void help_print(const struct command *command, FILE *out);

/* Set ENTRIES to the options for which option_is_listed() is true for COMMAND, with NULL at the
 * end. The options of SECTION_HIDDEN, which the help leaves out, are among them. */
void help_select(const struct command *command,
                 const struct option_entry *entries[OPTIONS_MAXIMUM + 1]);

/* Print the options in ENTRIES, which NULL ends, by section. COMMAND gives the title of the section
 * of its own options; NULL if ENTRIES has none of these. */
void help_options(const struct command *command, const struct option_entry *const *entries,
                  FILE *out);

void completion_print(FILE *out);
