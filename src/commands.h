/* All commands, and the options that they share. */
#pragma once

#include "job/command.h"

extern const struct command_table commands_of_nfsbench;
