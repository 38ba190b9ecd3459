/* Checks of the program's tables: fields and views of all kinds of results, commands, options, ops,
 * engines and reasons. For a wrong entry, a check reports the mistake and its correction. Further
 * checks of options are in test_options.c. */
#include "cli/command_line.h"
#include "commands.h"
#include "engine/engines.h"
#include "engine/worker.h"
#include "job/command.h"
#include "job/forms.h"
#include "measure/reasons.h"
#include "nfs/procedures/procedures.h"
#include "tables.h"

enum { NAMES_MAXIMUM = 400 };

static int use_commands(void **state)
{
    commands_use(&commands_of_nfsbench);
    return 0;
}

TEST_GROUP(use_commands, NULL)

static size_t wrong;
static bool expected; /* true: mistakes are made on purpose, and are not printed */

void table_report_mistake(const char *format, ...)
{
    va_list arguments;

    wrong++;
    if (expected)
        return;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void table_fail_if_mistakes(void)
{
    const size_t found = wrong;

    wrong = 0;
    if (found > 0)
        fail_msg("%zu mistakes in the tables, as described above", found);
}

void table_check_name(const char *table, const char *name, const char *more,
                      const char *const *before, size_t count)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";

    if (!name || !*name) {
        table_report_mistake("%s: entry %zu has no name: write one", table, count);
        return;
    }
    for (const char *at = name; *at; at++)
        if (!strchr(letters, *at) && !strchr(more, *at)) {
            table_report_mistake("%s: '%s': write it with small letters, digits and '%s'", table,
                                 name, more);
            break;
        }
    for (size_t i = 0; i < count; i++)
        if (strcmp(before[i], name) == 0)
            table_report_mistake("%s: '%s' is there twice: write another name", table, name);
}

struct names {
    const char *names[NAMES_MAXIMUM];
    size_t count;
};

static void take_name(struct names *names, const char *table, const char *name)
{
    assert_true(names->count < NAMES_MAXIMUM);
    table_check_name(table, name, "-", names->names, names->count);
    names->names[names->count++] = name ? name : "";
}

TEST_CASE(kinds)
{
    struct names names = {.count = 0};

    for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++) {
        const struct view *view = view_of_kind(kind);
        const char *key = result_kind_key(kind);

        take_name(&names, "kinds of results", key);
        if (!view || view->kind != kind) {
            table_report_mistake("kind '%s': its view is missing, or of another kind: write .kind",
                                 key);
            continue;
        }
        table_check_fields(view->fields, key);
        table_check_view(view, key);
    }
    table_fail_if_mistakes();
}

static void check_command(const struct command *command)
{
    const char *name = command->name, *summary = command->summary;

    if (!command->usage || strncmp(command->usage, "nfsbench ", 9) != 0 ||
        !strstr(command->usage, name))
        table_report_mistake("command '%s': write .usage = \"nfsbench %s [options] ...\"", name,
                             name);
    if (summary && (!*summary || summary[strlen(summary) - 1] == '.'))
        table_report_mistake(
            "command '%s': its .summary is empty, or ends with a full stop: write a clause "
            "without",
            name);
    if (!command->about)
        table_report_mistake("command '%s': write .about, what it does, in sentences", name);
    if (!command->run)
        table_report_mistake("command '%s': write .run, the function that runs it", name);
    for (const struct option_entry *own = command->own; own && own->name; own++)
        if (own->section == SECTION_OWN && !command->own_title) {
            table_report_mistake(
                "command '%s': --%s is in SECTION_OWN: write .own_title, the heading of "
                "that section in the help",
                name, own->name);
            break;
        }
    if ((command->groups & GROUP_FORMS) && !command->views)
        table_report_mistake(
            "command '%s': it takes GROUP_FORMS and has no result to write: write .views, "
            "or leave that group out",
            name);
}

TEST_CASE(commands)
{
    const struct command *command;
    struct names names = {.count = 0};

    for (size_t i = 0; (command = command_at(i)); i++) {
        take_name(&names, "commands", command->name);
        check_command(command);
    }
    table_fail_if_mistakes();
}

/* Each command except the first has one mistake, which must be reported once. */

static int run_nothing(const struct options *options, int *status, struct error *error)
{
    return 0;
}

TEST_CASE(wrong_commands)
{
    static bool flag;
    static const struct option_entry own[] = {
        {"flag", 0, OPTION_FLAG, SECTION_OWN, OPTION_SETS(flag)}, {NULL}};
    static const struct command right = {.name = "a",
                                         .usage = "nfsbench a",
                                         .summary = "measure a",
                                         .about = "Measures a.",
                                         .run = run_nothing};
    struct command commands[] = {right, right, right, right, right, right, right};

    commands[1].usage = "nfsbench b";
    commands[2].summary = "Measures a.";
    commands[3].about = NULL;
    commands[4].run = NULL;
    commands[5].own = own;
    commands[6].groups = GROUPS_CALLING;
    expected = true;
    for (size_t i = 0; i < COUNT_OF(commands); i++) {
        wrong = 0;
        check_command(&commands[i]);
        if (wrong != (i > 0))
            fail_msg("command %zu is reported %zu times", i, wrong);
    }
    wrong = 0;
    expected = false;
}

/* Return the size of the member that an option of KIND sets; 0 if only its parser knows it. */
static size_t option_size(enum option_kind kind)
{
    static const size_t sizes[] = {
        [OPTION_FLAG] = sizeof(bool),
        [OPTION_TEXT] = sizeof(char *),
        [OPTION_FILE] = sizeof(char *),
        [OPTION_NAME] = sizeof(char *),
        [OPTION_CHOICE] = sizeof(int),
        [OPTION_COUNT] = sizeof(uint64_t),
        [OPTION_RATE] = sizeof(double),
        [OPTION_NUMBER] = sizeof(uint32_t),
        [OPTION_SIZE] = sizeof(uint32_t),
        [OPTION_OFFSET] = sizeof(uint64_t),
        [OPTION_TIME] = sizeof(uint64_t),
        [OPTION_PORT] = sizeof(uint16_t),
        [OPTION_LIST] = sizeof(struct option_list),
        [OPTION_OTHER] = 0,
    };

    return sizes[kind];
}

static void check_choices(const struct option_entry *entry)
{
    struct names names = {.count = 0};
    char table[80];

    snprintf(table, sizeof table, "values of --%s", entry->name);
    for (const struct option_choice *choice = entry->choices; choice && choice->name; choice++)
        take_name(&names, table, choice->name);
    if (entry->choices && names.count == 0)
        table_report_mistake("--%s: it has no choices: write them, with {0} behind", entry->name);
}

static void check_option(const struct option_entry *entry)
{
    const size_t size = option_size(entry->kind), length = entry->help ? strlen(entry->help) : 0;

    if (size && entry->size != size)
        table_report_mistake(
            "--%s: its kind sets %zu bytes, and its member has %zu: write another kind, or "
            "another member",
            entry->name, size, entry->size);
    if (entry->section >= SECTIONS ||
        (entry->section != SECTION_HIDDEN && entry->section != SECTION_OWN &&
         !option_section_title(entry->section, NULL)))
        table_report_mistake("--%s: its section has no title: write one in job/option_table.c",
                             entry->name);
    if (entry->maximum && entry->minimum > entry->maximum)
        table_report_mistake("--%s: its .minimum is above its .maximum", entry->name);
    if (length == 0 || entry->help[length - 1] == '.')
        table_report_mistake(
            "--%s: its help is missing, or ends with a full stop: write a clause without",
            entry->name);
    check_choices(entry);
}

TEST_CASE(options_of_all_commands)
{
    for (size_t i = 0; option_at(i); i++)
        table_check_name("options", option_at(i)->name, "-", NULL, 0);
    for (size_t i = 0; command_option_at(i); i++)
        check_option(command_option_at(i));
    table_fail_if_mistakes();
}

static void check_refusal(const struct nfs_procedure *procedure)
{
    if (procedure->refusal && nfs_procedure_succeeding(procedure) == procedure)
        table_report_mistake(
            "op '%s': it is to be refused, and no op makes the same calls that succeed",
            procedure->op);
    if (procedure->refusal && !procedure->by_name_only)
        table_report_mistake("op '%s': it is to be refused: write .by_name_only = true",
                             procedure->op);
}

static void check_op(const struct nfs_procedure *procedure)
{
    const struct rpc_procedure *rpc = &procedure->rpc;
    const bool in_scratch =
        procedure->object == NFS_OBJECT_SCRATCH || procedure->object == NFS_OBJECT_SCRATCH_FILE;

    if (!rpc->name || !rpc->program || !rpc->version || !rpc->xdr_arguments || !rpc->xdr_result)
        table_report_mistake("op '%s': its .rpc is not whole: write NFS_ENTRY(OP, name, NAME)",
                             procedure->op);
    if (!procedure->check && rpc->result_size > 0 && !procedure->sequence)
        table_report_mistake("op '%s': nothing looks at its result: write .check", procedure->op);
    if (procedure->changes && !in_scratch)
        table_report_mistake("op '%s': it changes what is not the run's: write .object = "
                             "NFS_OBJECT_SCRATCH or NFS_OBJECT_SCRATCH_FILE",
                             procedure->op);
    if (procedure->prepare && !procedure->changes)
        table_report_mistake(
            "op '%s': it prepares calls, which changes the export: write .changes = true",
            procedure->op);
    check_refusal(procedure);
}

TEST_CASE(ops)
{
    const struct nfs_procedure *procedure;
    struct names names = {.count = 0};

    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++) {
        take_name(&names, "ops", procedure->op);
        check_op(procedure);
    }
    table_fail_if_mistakes();
}

static void check_engine(const struct engine_type *type)
{
    const struct worker_type *worker = type->worker;

    if (!type->open && !worker)
        table_report_mistake(
            "engine '%s': it makes no calls: write .open, .run and .close, or .worker", type->name);
    if (type->open && (!type->run || !type->close))
        table_report_mistake("engine '%s': write .run and .close to .open", type->name);
    if (worker && (!worker->open || !worker->run || !worker->close || !worker->depth_maximum))
        table_report_mistake("engine '%s': its worker needs .open, .run, .close and .depth_maximum",
                             type->name);
}

TEST_CASE(engines)
{
    struct names names = {.count = 0};

    for (const struct engine_type *const *type = engine_types; *type; type++) {
        take_name(&names, "engines", (*type)->name);
        check_engine(*type);
    }
    table_fail_if_mistakes();
}

struct reason_entry {
    const char *name;
    unsigned traits;
    const char *meaning, *suspect, *invalid, *advice;
};

#define REASON_ENTRY(id, name, traits, meaning, suspect, invalid, advice)                          \
    {name, traits, meaning, suspect, invalid, advice},

static const struct reason_entry reason_entries[] = {REASON_LIST(REASON_ENTRY)};

static void check_cell(const struct reason_entry *entry, const char *text)
{
    const size_t length = strlen(text);

    if (strpbrk(text, "|\n") || (length > 0 && text[length - 1] == '.'))
        table_report_mistake(
            "reason '%s': \"%s\" is a cell of a table: write it without '|' and without a "
            "full stop at its end",
            entry->name, text);
}

TEST_CASE(reasons)
{
    enum { TRAITS = REASON_OF_AMOUNT | REASON_OF_ALL_RANKS | REASON_IN_INTERVAL | REASON_OF_UNIT };
    struct names names = {.count = 0};

    for (const struct reason_entry *entry = reason_entries; entry < reason_entries + REASONS;
         entry++) {
        take_name(&names, "reasons", entry->name);
        if (entry->traits & ~(unsigned)TRAITS)
            table_report_mistake("reason '%s': its traits are none of enum reason_trait",
                                 entry->name);
        if (!*entry->meaning || !*entry->advice)
            table_report_mistake("reason '%s': write what it means, and what to do", entry->name);
        if (!*entry->suspect && !*entry->invalid)
            table_report_mistake("reason '%s': write when a result is suspect or invalid",
                                 entry->name);
        check_cell(entry, entry->meaning);
        check_cell(entry, entry->suspect);
        check_cell(entry, entry->invalid);
        check_cell(entry, entry->advice);
    }
    table_fail_if_mistakes();
}

TEST_CASE(wrong_lines)
{
    static const struct view_line lines[] = {
        {"{calls*3}"},
        {"{+host.cpus}"},
        {"{@ops|, |{op}}"},
        {"{!{host.cpu*}}"},
        {"{host.cpus:2x}"},
        {"{host.cpus"},
        {"{?(launches{host.cpus}}"},
        {"{no_such_member}"},
        {"{?(no_such_member)A|B}"},
        {"", .when = "validity.verdict=fine"},
        {"{^host.cpus}"},
        {"", .each = "host"},
    };

    expected = true;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        const struct view_line head[] = {lines[i], {NULL}};
        const struct view view = {.fields = view_of_kind(RESULT_MEASUREMENT)->fields, .head = head};

        wrong = 0;
        table_check_view(&view, lines[i].text);
        if (wrong != 1)
            fail_msg("'%s' is reported %zu times", lines[i].text, wrong);
    }
    wrong = 0;
    expected = false;
}
