/* Generate documents from the program's own tables, during the build.
 *
 * nfsbench-documents schemas DIRECTORY: the JSON Schema of each kind of result.
 *
 * nfsbench-documents manual PAGE TEMPLATE [LIST FILE...]...: the manual page. Lines of TEMPLATE:
 * - '.\" LIST' is replaced by the files of LIST, '.\" synopsis' by the usage of all commands.
 * - '.\" options COMMAND' to '.\" end' is replaced by COMMAND's options. The lines in between are
 *   notes. '.\" --size' or '.\" load' says which option or section the lines after it follow.
 * - '.\" notes COMMAND' to '.\" end' are notes of a unit on options that it adds to COMMAND.
 * Only the first command that has an option describes it; later commands name it.
 *
 * nfsbench-documents method DOCUMENT PAGE: doc/METHOD.md with the table of reasons between the
 * lines '<!-- reasons: ... -->' and '<!-- end of reasons -->'. PAGE may be DOCUMENT itself. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_line.h"
#include "commands.h"
#include "job/forms.h"
#include "measure/reasons.h"
#include "schema.h"

enum { NOTES_MAXIMUM = 128, LINES_MAXIMUM = 4096 };

struct note {
    const char *key; /* "--size" or "load"; NULL after it was printed */
    size_t first, end;
};

struct page {
    const char *lines[LINES_MAXIMUM];
    size_t count;
    struct note notes[NOTES_MAXIMUM]; /* for the current command */
    size_t note_count;
    const struct option_entry *described[2 * OPTIONS_MAXIMUM];
    size_t described_count;
    FILE *out;
};

static _Noreturn void exit_with_error(const char *what, const char *why)
{
    fprintf(stderr, "nfsbench-documents: %s: %s\n", what, why);
    exit(1);
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);

    if (!file)
        exit_with_error(path, "it can't be opened");
    return file;
}

/* Return the rest of LINE after '.\" ' and WORD; NULL if LINE begins differently. */
static const char *text_after(const char *line, const char *word)
{
    const size_t length = strlen(word);

    if (strncmp(line, ".\\\" ", 4) != 0 || strncmp(line + 4, word, length) != 0)
        return NULL;
    return line + 4 + length;
}

/* Return whether WORD is the name of a list, not of a file. */
static bool is_list(const char *word)
{
    return !strchr(word, '/');
}

/* Return the list in LISTS (ended by NULL) that LINE names; NULL if there is none. */
static char **list_at(const char *line, char **lists)
{
    for (; *lists; lists++)
        if (is_list(*lists) && text_after(line, *lists) && !*text_after(line, *lists))
            return lists;
    return NULL;
}

/* Read the file at PATH, with the files of LIST in LISTS (ended by NULL) for a line '.\" LIST'. */
static void read_page(struct page *page, const char *path, char **lists)
{
    FILE *in = open_file(path, "r");
    char *line = NULL, **list;
    size_t room = 0;

    while (page->count < LINES_MAXIMUM && getline(&line, &room, in) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if ((list = list_at(line, lists))) {
            while (*++list && !is_list(*list))
                read_page(page, *list, (char *[]){NULL});
            continue;
        }
        page->lines[page->count++] = line;
        line = NULL;
    }
    free(line);
    fclose(in);
}

/* Add the notes that begin at line *AT. *AT is then the line of their end. */
static void add_notes(struct page *page, size_t *at)
{
    for (; *at < page->count && !text_after(page->lines[*at], "end"); ++*at) {
        const char *key = text_after(page->lines[*at], "");

        if (key && page->note_count < NOTES_MAXIMUM)
            page->notes[page->note_count++] = (struct note){.key = key, .first = *at + 1};
        if (page->note_count)
            page->notes[page->note_count - 1].end = *at + 1;
    }
}

/* Find the notes on COMMAND's options: those at line *AT (then the line of their end) and
 * units'. */
static void find_notes(struct page *page, const char *command, size_t *at)
{
    page->note_count = 0;
    add_notes(page, at);
    for (size_t i = 0; i < page->count; i++) {
        const char *of = text_after(page->lines[i], "notes ");
        size_t begin = i + 1;

        if (of && strcmp(of, command) == 0)
            add_notes(page, &begin);
    }
}

static void print_lines(const struct page *page, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        fprintf(page->out, "%s\n", page->lines[i]);
}

static void print_note(struct page *page, const char *dashes, const char *name)
{
    for (struct note *note = page->notes; note < page->notes + page->note_count; note++) {
        if (!note->key || strncmp(note->key, dashes, strlen(dashes)) != 0 ||
            strcmp(note->key + strlen(dashes), name) != 0)
            continue;
        print_lines(page, note->first, note->end);
        note->key = NULL;
    }
}

static void check_notes(const struct page *page)
{
    for (size_t i = 0; i < page->note_count; i++)
        if (page->notes[i].key)
            exit_with_error(page->notes[i].key, "there is no such option or section");
}

static bool is_choice(const struct option_entry *entry, size_t length)
{
    const struct option_choice *choice = entry->choices;

    for (; choice && choice->name; choice++)
        if (strlen(choice->name) == length && strncmp(choice->name, entry->help, length) == 0)
            return true;
    return false;
}

/* Print an option, with its help as a sentence. */
static void describe_option(struct page *page, const struct option_entry *entry)
{
    const bool as_it_is = is_choice(entry, strcspn(entry->help, " "));

    fprintf(page->out, ".It ");
    if (entry->letter)
        fprintf(page->out, "Fl %c , ", entry->letter);
    fprintf(page->out, "Fl -%s%s%s\n", entry->name, entry->value ? " Ar " : "",
            entry->value ? entry->value : "");
    fprintf(page->out, "\\&%c%s.\n", as_it_is ? entry->help[0] : toupper(entry->help[0]),
            entry->help + 1);
    print_note(page, "--", entry->name);
    page->described[page->described_count++] = entry;
}

static bool is_described(const struct page *page, const struct option_entry *entry)
{
    for (size_t i = 0; i < page->described_count; i++)
        if (page->described[i] == entry)
            return true;
    return false;
}

/* Begin a section. Only the command run has so many options that sections have headings. */
static void begin_section(struct page *page, const struct command *command, const char *title)
{
    if (command == &command_run) {
        fprintf(page->out, ".Ss Options: %s\n", title);
        print_note(page, "", title);
    }
    fprintf(page->out, ".Bl -tag -width Ds\n");
}

/* Describe the options of COMMAND that no earlier command has, by section. */
static void describe_new(struct page *page, const struct command *command,
                         const struct option_entry *const *entries)
{
    const char *last = NULL; /* title of the section whose list has begun */

    for (enum option_section section = SECTION_HIDDEN + 1; section < SECTIONS; section++) {
        const char *title = option_section_title(section, command);

        for (const struct option_entry *const *entry = entries; *entry; entry++) {
            if ((*entry)->section != section || is_described(page, *entry))
                continue;
            if (!last || strcmp(last, title) != 0) {
                if (last)
                    fprintf(page->out, ".El\n");
                begin_section(page, command, title);
                last = title;
            }
            describe_option(page, *entry);
        }
    }
    if (last)
        fprintf(page->out, ".El\n");
}

static void name_others(const struct page *page, const struct option_entry *const *entries,
                        const char *command)
{
    const char *separator = "";

    for (; *entries; entries++) {
        if (!is_described(page, *entries) || strcmp((*entries)->name, "help") == 0)
            continue;
        if (!*separator)
            fprintf(page->out, ".Pp\nOf the options above, %s takes\n", command);
        fprintf(page->out, "%s.Fl -%s", separator, (*entries)->name);
        separator = " ,\n";
    }
    if (*separator)
        fprintf(page->out, " .\n");
}

static void print_options(struct page *page, const char *name)
{
    const struct command *command = command_find(name);
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];

    if (!command)
        exit_with_error(name, "there is no such command");
    help_select(command, entries);
    name_others(page, entries, name);
    describe_new(page, command, entries);
    check_notes(page);
}

static void print_synopsis(FILE *out)
{
    const struct command *command;

    fprintf(out, ".Bd -literal\n");
    for (size_t i = 0; (command = command_at(i)); i++)
        fprintf(out, "%s\n", command->usage);
    fprintf(out, ".Ed\n");
}

/* Return the index of PAGE's line that begins with START. There must be one. */
static size_t find_line(const struct page *page, const char *start, const char *document)
{
    for (size_t i = 0; i < page->count; i++)
        if (strncmp(page->lines[i], start, strlen(start)) == 0)
            return i;
    fprintf(stderr, "nfsbench-documents: %s: it has no line that begins with '%s'\n", document,
            start);
    exit(1);
}

/* Check that each command has a place for its options. */
static void check_places(const struct page *page)
{
    const struct command *command;
    char place[80], where[80];

    for (size_t i = 0; (command = command_at(i)); i++) {
        snprintf(place, sizeof place, ".\\\" options %s", command->name);
        snprintf(where, sizeof where, "the section of '%s'", command->name);
        find_line(page, place, where);
    }
}

static void write_manual(const char *path, const char *template, char **lists)
{
    static struct page page;

    page.out = open_file(path, "w");
    read_page(&page, template, lists);
    for (size_t i = 0; i < page.count; i++) {
        const char *command = text_after(page.lines[i], "options ");

        if (command) {
            i++;
            find_notes(&page, command, &i);
            print_options(&page, command);
        } else if (text_after(page.lines[i], "notes ")) {
            while (i < page.count && !text_after(page.lines[i], "end"))
                i++;
        } else if (text_after(page.lines[i], "synopsis")) {
            print_synopsis(page.out);
        } else {
            fprintf(page.out, "%s\n", page.lines[i]);
        }
    }
    check_places(&page);
    if (fclose(page.out) != 0)
        exit_with_error(path, "it can't be written");
}

/* Print the table of reasons, in the order of measure/reasons.h. */
static void print_reasons(FILE *out)
{
#define REASON_ROW(id, name, traits, meaning, suspect, invalid, advice)                            \
    "| `" name "` | " meaning " | " suspect " | " invalid " | " advice " |\n"
    fputs("| reason | what it means | suspect | invalid | what to do |\n"
          "|---|---|---|---|---|\n" REASON_LIST(REASON_ROW),
          out);
#undef REASON_ROW
}

static void write_method(const char *document, const char *path)
{
    static struct page page;
    size_t begin, end;

    read_page(&page, document, (char *[]){NULL});
    begin = find_line(&page, "<!-- reasons:", document);
    end = find_line(&page, "<!-- end of reasons -->", document);
    page.out = open_file(path, "w");
    print_lines(&page, 0, begin + 1);
    print_reasons(page.out);
    print_lines(&page, end, page.count);
    if (fclose(page.out) != 0)
        exit_with_error(path, "it can't be written");
}

static void write_schema(const char *directory, const struct view *view)
{
    char path[4096];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s.json", directory, result_kind_key(view->kind));
    out = open_file(path, "w");
    if (schema_write(view, out) != 0 || fclose(out) != 0)
        exit_with_error(path, "it can't be written");
}

int main(int argc, char **argv)
{
    commands_use(&commands_of_nfsbench);
    if (argc >= 4 && strcmp(argv[1], "manual") == 0) {
        write_manual(argv[2], argv[3], argv + 4);
    } else if (argc == 4 && strcmp(argv[1], "method") == 0) {
        write_method(argv[2], argv[3]);
    } else if (argc == 3 && strcmp(argv[1], "schemas") == 0) {
        for (enum result_kind kind = 0; kind < RESULT_KINDS; kind++)
            if (view_of_kind(kind))
                write_schema(argv[2], view_of_kind(kind));
    } else {
        fprintf(stderr,
                "usage: %s schemas DIRECTORY | manual PAGE TEMPLATE [LIST FILE...]... | method "
                "DOCUMENT "
                "PAGE\n",
                argv[0]);
        return 2;
    }
    return 0;
}
