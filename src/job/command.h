/* A command, and the table of all commands, which main() hands to the command line. */
#pragma once

#include <stdio.h>

#include "job/options.h"
#include "output/view.h"

struct command {
    const char *name;
    const char *usage;    /* what follows "nfsbench" */
    const char *summary;  /* a line in the list of commands; NULL: hidden */
    const char *about;    /* paragraphs, a line each; wrapped when they are printed */
    const char *examples; /* lines; NULL: none */
    const char *status;   /* its exit statuses, if they differ from those above; else NULL */
    unsigned groups;      /* of options, that it takes */
    /* The views of the kinds of results that it makes, which NULL ends; NULL: it makes none. */
    const struct view *const *views;
    /* Print the rest of its help, after ABOUT; NULL: nothing. */
    void (*help)(FILE *out);
    /* Run the command. 0, with the exit status in *STATUS (0 before); or a negative errno with
     * ERROR set, which is printed and whose kind is the exit status. */
    int (*run)(const struct options *options, int *status, struct error *error);
};

/* Let COMMANDS, which NULL ends, be all commands. Before this call there are none. */
void commands_use(const struct command *const *commands);

/* The commands in the order of the help: number INDEX, or NULL after the last. */
const struct command *command_at(size_t index);

/* The command called NAME, or NULL. */
const struct command *command_find(const char *name);

/* The commands that take an option called NAME, as "'nfsbench run' and 'nfsbench sweep'". Returns
 * BUFFER. */
const char *commands_that_take(const char *name, char *buffer, size_t size);
