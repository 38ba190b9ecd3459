/* The table of options that commands share. The caller of commands_use() passes it with the table
 * of commands, because its entries name parsers in other files of job/. */
#pragma once

#include "job/option_entry.h"

/* Ended by an entry without a name. */
extern const struct option_entry option_table[];
