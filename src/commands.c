#include "commands.h"

/* CMake makes command_list.h, library_views.h and part_list.h (cmake/Module.cmake). */
#include "command_list.h"
#include "job/option_table.h"
#include "library_views.h"
#include "part_list.h"

#define DECLARED(name) extern const struct command command_##name;
#define ENTRY(name)    &command_##name,

COMMANDS(DECLARED)

static const struct command *const commands[] = {COMMANDS(ENTRY) NULL};

#define VIEW_DECLARED(name) extern const struct view view_##name;
#define VIEW_ENTRY(name)    &view_##name,

LIBRARY_VIEWS(VIEW_DECLARED)

static const struct view *const views[] = {LIBRARY_VIEWS(VIEW_ENTRY) NULL};

#define PART_DECLARED(name) extern const struct part name;
#define PART_ENTRY(name)    &(name),

PARTS(PART_DECLARED)

static const struct part *const parts[] = {PARTS(PART_ENTRY) NULL};

const struct command_table commands_of_nfsbench = {commands, option_table, views, parts};
