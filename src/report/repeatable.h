/* The command line in a result file, made safe for readers who copy it. */
#pragma once

#include "common/memory.h"
#include "report/report.h"

/* Make COMMAND from the COUNT WORDS, a command line from a file of any origin. Options that write
 * files or run commands (`acts` in struct option_entry) are left out. COMMAND's `refused` is set if
 * the command does not measure, has options that this version does not know, or memory runs out.
 * COMMAND refers to WORDS and ARENA. Returns 0, or -ENOMEM without memory for the list of words. */
int repeatable_make(struct report_command *command, const char *const *words, size_t count,
                    struct arena *arena);
