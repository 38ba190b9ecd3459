/* The table of options that commands share, which the caller of commands_use() passes. */
#pragma once

#include "job/option_entry.h"

/* Ended by an entry without a name. */
extern const struct option_entry option_table[];
