#include "commands.h"

#include "command_list.h" /* made by CMake (cmake/Module.cmake) */
#include "job/option_table.h"

#define DECLARED(name) extern const struct command command_##name;
#define ENTRY(name)    &command_##name,

COMMANDS(DECLARED)

static const struct command *const commands[] = {COMMANDS(ENTRY) NULL};

const struct command_table commands_of_nfsbench = {commands, option_table};
