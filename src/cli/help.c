#include <string.h>

#include "cli/command_line.h"
#include "common/append.h"
#include "nfs/procedures/procedures.h"

enum {
    OPTION_COLUMN = 26, /* column at which the text about an option begins */
    SUMMARY_COLUMN = 16,
};

static void print_option(const struct option_entry *entry, FILE *out)
{
    char left[64], letter[8] = "    ";
    int column;

    if (entry->letter)
        snprintf(letter, sizeof letter, "-%c, ", entry->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, entry->name, entry->value ? " " : "",
             entry->value ? entry->value : "");
    column = fprintf(out, "%s", left);
    if (column + 2 > OPTION_COLUMN)
        fprintf(out, "\n%*s", OPTION_COLUMN, "");
    else
        fprintf(out, "%*s", OPTION_COLUMN - column, "");
    help_wrap(entry->help, OPTION_COLUMN, OPTION_COLUMN, out);
}

void help_options(const struct command *command, const struct option_entry *const *entries,
                  FILE *out)
{
    const char *last = "";

    for (enum option_section section = SECTION_HIDDEN + 1; section < SECTIONS; section++) {
        const char *title = option_section_title(section, command);

        for (const struct option_entry *const *entry = entries; *entry; entry++) {
            if ((*entry)->section != section)
                continue;
            if (strcmp(last, title) != 0)
                fprintf(out, "\n%s\n", title);
            last = title;
            print_option(*entry, out);
        }
    }
}

static void print_commands(FILE *out)
{
    const struct command *command;

    fprintf(out, "\ncommands (each has its own --help)\n");
    for (size_t i = 0; (command = command_at(i)); i++) {
        if (!command->summary)
            continue;
        fprintf(out, "  %-*s", SUMMARY_COLUMN - 2, command->name);
        help_wrap(command->summary, SUMMARY_COLUMN, SUMMARY_COLUMN, out);
    }
}

/* Print each line of ABOUT as a paragraph. */
static void print_about(const char *about, FILE *out)
{
    while (*about) {
        char paragraph[1024];
        int length = (int)strcspn(about, "\n");

        snprintf(paragraph, sizeof paragraph, "%.*s", length, about);
        help_wrap(paragraph, 0, 0, out);
        about += length + (about[length] == '\n');
    }
}

void help_select(const struct command *command,
                 const struct option_entry *entries[OPTIONS_MAXIMUM + 1])
{
    size_t count = 0;

    options_of(command, entries);
    for (size_t i = 0; entries[i]; i++)
        if (option_is_listed(entries[i], command))
            entries[count++] = entries[i];
    entries[count] = NULL;
}

/* Print the names of all commands, one line for each purpose. */
static void print_purposes(FILE *out)
{
    static const char *const names[PURPOSES] = {"measure", "understand", "keep", "support"};
    const struct command *command;

    for (enum command_purpose purpose = 0; purpose < PURPOSES; purpose++) {
        bool first = true;

        for (size_t i = 0; (command = command_at(i)); i++) {
            if (!command->summary || command->purpose != purpose)
                continue;
            if (first)
                fprintf(out, "%-12s", names[purpose]);
            fprintf(out, "%s%s%s", first ? "" : ", ", command->name,
                    i == 0 ? " (may be omitted)" : "");
            first = false;
        }
        fputs(first ? "" : "\n", out);
    }
}

static bool takes_option(const struct command *command, const char *name)
{
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];
    size_t i = 0;

    options_of(command, entries);
    while (entries[i] && strcmp(entries[i]->name, name) != 0)
        i++;
    return entries[i] != NULL;
}

void help_print_first(FILE *out)
{
    const struct command *command = command_at(0);

    fputs("usage: nfsbench [options] TARGET [OP[,OP...]] [COUNT]\n"
          "       nfsbench COMMAND [options] ...\n"
          "\n"
          "Measures what an NFSv3 procedure costs the server, apart from RPC and network.\n"
          "\n",
          out);
    print_purposes(out);
    fputs("\n  -s, --size BYTES      bytes in a READ or WRITE (default 4096)\n  -c, --clients N    "
          "   concurrent clients, each with its own connections\n  -d, --depth N         calls in "
          "flight on each connection\n  -r, --rate N          calls per second, sent without "
          "waiting for replies\n  -p, --proto NAME      tcp (default) or udp\n      --sec FLAVOR   "
          "   sys (default), none, krb5, krb5i or krb5p\n      --max-time TIME   end after TIME "
          "unless COUNT is given (default 10s)\n",
          out);
    if (takes_option(command, "versus"))
        fputs("      --versus TARGET2  measure a second server in the same rounds\n", out);
    fputs("  -j, --json FILE       write the result as JSON, for compare and report\n  -v, "
          "--verbose         print more figures, and what the columns mean\n\n",
          out);
    if (command_of_self())
        fputs("  nfsbench self: read 50k                  on the embedded server\n", out);
    fputs("  nfsbench server:/export getattr,read     on another server\n", out);
    for (size_t i = 0; (command = command_at(i)); i++)
        if (command->first_example)
            fputs(command->first_example, out);
    fputs("More: nfsbench help COMMAND, help ops, ", out);
    for (size_t i = 0; (command = command_at(i)); i++)
        if (command->topic)
            fprintf(out, "help %s, ", command->topic->name);
    fputs("help all\n", out);
}

static void print_ops(FILE *out)
{
    const struct nfs_procedure *procedure;
    char ops[1024] = "";

    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++)
        append_item(ops, sizeof ops, "%s", procedure->op);
    help_wrap(ops, 8, 8, out);
}

void help_print_words(FILE *out)
{
    fprintf(out, "\nTARGET  host:/export[/path]   [v6]:/export   self: (the embedded server)\n     "
                 "   nfs://host[:port]/export/path[?mountport=N&proto=udp]\n        host: lists "
                 "the host's services and exports without a measurement\nOP      ");
    print_ops(out);
    fprintf(out, "        ");
    help_wrap(
        "(default: getattr). read-only: all ops that change nothing and that the server and the "
        "export support; all: all ops except mount-umntall and those of NFS_ACL; mix:NAME: a mix "
        "of ops, such as mix:sfs2008 or mix:read=70,write=30. Ops that change something work in a "
        "scratch directory in TARGET, which the run makes and removes.",
        8, 8, out);
    fprintf(out, "COUNT   ");
    help_wrap("calls of each op, such as 1000, 10k or 1M; null, null control and the cost model "
              "make COUNT calls each, too, so a run with one op makes about four times COUNT. "
              "Without COUNT, the run ends when every interval is narrow enough (--precision) or "
              "after 10 s (--max-time)",
              8, 8, out);
}

static void print_all(FILE *out)
{
    help_print(command_at(0), out);
}

/* Topics of help that belong to no command. */
static const struct {
    const char *name;
    void (*print)(FILE *out);
} topics[] = {{"all", print_all}, {"ops", help_print_words}};

enum { TOPICS = sizeof topics / sizeof topics[0] };

/* Return command INDEX of the commands that have a topic; NULL after the last. */
static const struct command *command_with_topic(size_t index)
{
    const struct command *command;

    for (size_t i = 0; (command = command_at(i)); i++)
        if (command->topic && index-- == 0)
            return command;
    return NULL;
}

const char *help_topic_at(size_t index)
{
    const struct command *command;

    if (index < TOPICS)
        return topics[index].name;
    command = command_with_topic(index - TOPICS);
    return command ? command->topic->name : NULL;
}

static void print_topic_of(const struct command *command, FILE *out)
{
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];
    size_t count = 0;

    help_select(command, entries);
    for (size_t i = 0; entries[i]; i++)
        if (entries[i]->section == command->topic->section)
            entries[count++] = entries[i];
    entries[count] = NULL;
    help_options(command, entries, out);
    fputs(command->topic->rest, out);
}

bool help_print_topic(const char *topic, FILE *out)
{
    const char *name;

    for (size_t i = 0; (name = help_topic_at(i)); i++) {
        if (strcmp(name, topic) != 0)
            continue;
        if (i < TOPICS)
            topics[i].print(out);
        else
            print_topic_of(command_with_topic(i - TOPICS), out);
        return true;
    }
    return false;
}

void help_print(const struct command *command, FILE *out)
{
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];

    fprintf(out, "usage: %s\n", command->usage);
    fputc('\n', out);
    print_about(command->about, out);
    if (command == command_at(0))
        print_commands(out);
    if (command->help)
        command->help(out);
    help_select(command, entries);
    help_options(command, entries, out);
    if (command->examples)
        fprintf(out, "\nexamples\n%s", command->examples);
    if (command->status) {
        fprintf(out, "\nexit status: ");
        help_wrap(command->status, 13, 13, out);
    }
}
