#include "job/options.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/append.h"
#include "common/nearest.h"
#include "common/units.h"
#include "job/command.h"

static const char *expectation(const struct option_entry *entry)
{
    switch (entry->kind) {
    case OPTION_COUNT:
    case OPTION_RATE:
    case OPTION_NUMBER:
        return "a whole number such as 1000, 10k or 1M";
    case OPTION_SIZE:
    case OPTION_OFFSET:
        return "a size such as 4096, 64k (of 1024 bytes each) or 64kB (of 1000)";
    case OPTION_TIME:
        return "a time above 0 with its unit, such as 200ns, 2us or 1.5s";
    case OPTION_PORT:
        return "a port, 1 to 65535";
    default:
        return entry->value;
    }
}

static int refuse_value(const struct option_entry *entry, const char *text, int code,
                        struct error *error)
{
    return error_set(error, ERROR_USAGE, -EINVAL, "--%s '%.100s' %s; expected %s", entry->name,
                     text, code == -ERANGE ? "is out of range" : "can't be read",
                     expectation(entry));
}

static void describe_bound(const struct option_entry *entry, uint64_t bound, char text[32])
{
    if (entry->kind == OPTION_TIME)
        snprintf(text, 32, "%.4g s", (double)bound / 1e9);
    else if (entry->kind == OPTION_SIZE && bound % (1 << 20) == 0)
        snprintf(text, 32, "%" PRIu64 " MiB", bound >> 20);
    else
        snprintf(text, 32, "%" PRIu64, bound);
}

static int check_bounds(const struct option_entry *entry, const char *text, uint64_t value,
                        struct error *error)
{
    bool small = value < entry->minimum;
    char bound[32];

    if (!small && (entry->maximum == 0 || value <= entry->maximum))
        return 0;
    describe_bound(entry, small ? entry->minimum : entry->maximum, bound);
    return error_set(error, ERROR_USAGE, -EINVAL, "--%s must be %s %s, not '%.60s'", entry->name,
                     bound, small ? "or more" : "at most", text);
}

/* Parse TEXT as a number, and store it in MEMBER, an integer of BITS bits: 16, 32 or 64. */
static int store_number(const struct option_entry *entry, const char *text, unsigned bits,
                        void *member, struct error *error)
{
    bool is_size = entry->kind == OPTION_SIZE || entry->kind == OPTION_OFFSET;
    uint64_t value = 0;
    int code = entry->kind == OPTION_TIME ? units_parse_time(text, &value)
               : is_size                  ? units_parse_size(text, &value)
                                          : units_parse_count(text, &value);

    if (code == 0 && (value >> (bits - 1)) >> 1 != 0)
        code = -ERANGE;
    if (code == -ERANGE && entry->maximum) /* too large for its type: the message names the limit */
        return check_bounds(entry, text, UINT64_MAX, error);
    if (code == 0 && value == 0 && (entry->kind == OPTION_TIME || entry->kind == OPTION_PORT))
        code = -ERANGE;
    if (code)
        return refuse_value(entry, text, code, error);
    if (bits == 64)
        *(uint64_t *)member = value;
    else if (bits == 32)
        *(uint32_t *)member = (uint32_t)value;
    else
        *(uint16_t *)member = (uint16_t)value;
    return check_bounds(entry, text, value, error);
}

static int store_rate(const struct option_entry *entry, const char *text, double *member,
                      struct error *error)
{
    uint64_t rate = 0;
    int code = store_number(entry, text, 64, &rate, error);

    *member = (double)rate;
    return code;
}

static int refuse_choice(const struct option_entry *entry, const char *text, struct error *error)
{
    char names[256] = "", hint[NEAREST_HINT_SIZE];
    struct nearest nearest;

    nearest_begin(&nearest, text);
    for (const struct option_choice *choice = entry->choices; choice->name; choice++) {
        const char *comma = !*names ? "" : choice[1].name ? ", " : " or ";

        append(names, sizeof names, "%s%s", comma, choice->name);
        nearest_offer(&nearest, choice->name);
    }
    return error_set(error, ERROR_USAGE, -EINVAL, "--%s '%.60s' is not known; expected %s%s",
                     entry->name, text, names, nearest_hint(&nearest, hint));
}

static int store_choice(const struct option_entry *entry, const char *text, void *member,
                        struct error *error)
{
    const struct option_choice *choice = entry->choices;

    while (choice->name && strcmp(choice->name, text) != 0)
        choice++;
    if (!choice->name)
        return refuse_choice(entry, text, error);
    if (entry->kind == OPTION_NAME)
        *(const char **)member = choice->name;
    else
        *(int *)member = choice->value;
    return 0;
}

static int store_text(const struct option_entry *entry, const char *text, void *member,
                      struct error *error)
{
    if (!*text)
        return error_set(error, ERROR_USAGE, -EINVAL, "--%s '': the value is empty; expected %s",
                         entry->name, entry->value);
    *(const char **)member = text;
    return 0;
}

static int store_item(const struct option_entry *entry, const char *text, struct option_list *list,
                      struct error *error)
{
    if (list->count == OPTION_LIST_MAXIMUM)
        return error_set(error, ERROR_USAGE, -EINVAL, "--%s may be given %d times at most",
                         entry->name, OPTION_LIST_MAXIMUM);
    list->values[list->count++] = text;
    return 0;
}

int options_store(const struct option_entry *entry, const char *text, void *values,
                  struct error *error)
{
    void *member = entry->own ? entry->own : (char *)values + entry->offset;

    switch (entry->kind) {
    case OPTION_FLAG:
        *(bool *)member = true;
        return 0;
    case OPTION_TEXT:
    case OPTION_FILE:
        return store_text(entry, text, member, error);
    case OPTION_NAME:
    case OPTION_CHOICE:
        return store_choice(entry, text, member, error);
    case OPTION_COUNT:
    case OPTION_OFFSET:
    case OPTION_TIME:
        return store_number(entry, text, 64, member, error);
    case OPTION_RATE:
        return store_rate(entry, text, member, error);
    case OPTION_NUMBER:
    case OPTION_SIZE:
        return store_number(entry, text, 32, member, error);
    case OPTION_PORT:
        return store_number(entry, text, 16, member, error);
    case OPTION_LIST:
        return store_item(entry, text, member, error);
    case OPTION_OTHER:
        return entry->parse(entry, text, member, error);
    }
    return -EINVAL;
}

/* Return any command's visible option NAME or, if NAME is NULL, with LETTER; NULL: none. */
static const struct option_entry *find_anywhere(const char *name, char letter)
{
    const struct option_entry *entry;

    for (size_t i = 0; (entry = command_option_at(i)); i++)
        if (entry->section != SECTION_HIDDEN &&
            (name ? strcmp(entry->name, name) == 0 : entry->letter == letter))
            return entry;
    return NULL;
}

static int refuse_elsewhere(const struct option_entry *entry, struct error *error)
{
    char takers[160];

    return error_set(error, ERROR_USAGE, -EINVAL, "leave out --%s, which is an option of %s%s",
                     entry->name, commands_that_take(entry->name, takers, sizeof takers),
                     entry->section == SECTION_INJECTION ? "; for self:, put it into --self-args"
                                                         : "");
}

static int refuse_unknown(const struct option_entry *const *entries, const char *name,
                          struct error *error)
{
    const struct option_entry *elsewhere = find_anywhere(name, 0);
    struct nearest nearest;

    if (elsewhere)
        return refuse_elsewhere(elsewhere, error);
    nearest_begin(&nearest, name);
    for (; *entries; entries++)
        if ((*entries)->section != SECTION_HIDDEN)
            nearest_offer(&nearest, (*entries)->name);
    if (nearest.name)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "unknown option '--%.60s'; did you mean '--%s'?", name, nearest.name);
    return error_set(error, ERROR_USAGE, -EINVAL, "unknown option '--%.60s'; see --help", name);
}

static int refuse_ambiguous(const struct option_entry *const *entries, const char *name,
                            struct error *error)
{
    size_t length = strlen(name);
    char names[240] = "";

    for (; *entries; entries++)
        if (strncmp((*entries)->name, name, length) == 0)
            append_item(names, sizeof names, "--%s", (*entries)->name);
    return error_set(error, ERROR_USAGE, -EINVAL, "option '--%.60s' is ambiguous; it could be %s",
                     name, names);
}

/* Is NAME an option of mount(8) for the NFS version, as in "--vers=4" or "-o vers=4"? */
static bool is_version_option(const char *name)
{
    return strcmp(name, "vers") == 0 || strcmp(name, "nfsvers") == 0;
}

static int refuse_version_option(const char *option, struct error *error)
{
    return error_set(
        error, ERROR_USAGE, -EINVAL,
        "leave %s out: nfsbench measures NFS version 3 only, and each option that mount takes "
        "after -o is a separate option here, such as --proto udp or --port 2049",
        option);
}

/* Do ENTRIES include --proto, so that the command calls a server? */
static bool takes_transport(const struct option_entry *const *entries)
{
    while (*entries && strcmp((*entries)->name, "proto") != 0)
        entries++;
    return *entries;
}

static int refuse_letter(const struct option_entry *const *entries, int letter, struct error *error)
{
    const struct option_entry *elsewhere = find_anywhere(NULL, (char)letter);

    if (isdigit(letter))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "-%c...: a number can't be negative; COUNT is 1 or more; see --help",
                         letter);
    if (letter == 'o' && takes_transport(entries))
        return refuse_version_option("-o", error);
    if (elsewhere)
        return refuse_elsewhere(elsewhere, error);
    return error_set(error, ERROR_USAGE, -EINVAL, "unknown option '-%c'; see --help", letter);
}

static int refuse_missing_value(const struct option_entry *entry, struct error *error)
{
    return error_set(error, ERROR_USAGE, -EINVAL, "option '--%s' needs a value: expected %s",
                     entry->name, entry->value);
}

size_t options_match(const struct option_entry *const *entries, const char *name, size_t length,
                     size_t *matches)
{
    size_t found = 0;

    *matches = 0;
    for (size_t i = 0; entries[i]; i++) {
        if (strncmp(entries[i]->name, name, length) != 0)
            continue;
        found = i;
        ++*matches;
        if (strlen(entries[i]->name) == length) {
            *matches = 1;
            break;
        }
    }
    return found;
}

static char *next_word(struct option_parser *parser)
{
    return parser->at + 1 < parser->argc ? parser->argv[++parser->at] : NULL;
}

/* Store VALUE (NULL: none) of the option at PLACE in the parser's entries, and mark it as given. */
static int take_option(struct option_parser *parser, size_t place, const char *value,
                       struct error *error)
{
    const struct option_entry *entry = parser->entries[place];

    if (entry->value && !value)
        return refuse_missing_value(entry, error);
    parser->given[place] = value ? value : "";
    return options_store(entry, value, parser->values, error);
}

/* Parse WORD, the text after "--": "name", "name=value", or "name" with the value in the next word.
 * The name may be abbreviated. */
static int take_long_option(struct option_parser *parser, const char *word, struct error *error)
{
    const struct option_entry *const *entries = parser->entries;
    size_t matches, length = strcspn(word, "="),
                    place = options_match(entries, word, length, &matches);
    const char *value = word[length] ? word + length + 1 : NULL;
    char name[64];

    snprintf(name, sizeof name, "%.*s", (int)(length < 63 ? length : 63), word);
    if (matches != 1 && is_version_option(name))
        return refuse_version_option(word - 2, error);
    if (matches == 0)
        return refuse_unknown(entries, name, error);
    if (matches > 1)
        return refuse_ambiguous(entries, name, error);
    if (value && !entries[place]->value)
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "option '--%s' takes no value, but '%.60s' has one", entries[place]->name,
                         word + length);
    if (!value && entries[place]->value)
        value = next_word(parser);
    return take_option(parser, place, value, error);
}

/* Parse LETTERS, short options. An option's value is the rest of LETTERS or the next word. */
static int take_option_letters(struct option_parser *parser, const char *letters,
                               struct error *error)
{
    const struct option_entry *const *entries = parser->entries;
    int code = 0;

    for (; *letters && code == 0; letters++) {
        size_t place = 0;

        while (entries[place] && entries[place]->letter != *letters)
            place++;
        if (!entries[place])
            return refuse_letter(entries, *letters, error);
        if (entries[place]->value)
            return take_option(parser, place, letters[1] ? letters + 1 : next_word(parser), error);
        code = take_option(parser, place, NULL, error);
    }
    return code;
}

int options_parse_by(struct option_parser *parser, int argc, char **argv, struct error *error)
{
    bool dashes = false;
    int code = 0;

    parser->argc = argc;
    parser->argv = argv;
    parser->words = argv + 1;
    for (parser->at = 1; parser->at < argc && code == 0; parser->at++) {
        char *word = argv[parser->at];

        if (dashes || word[0] != '-' || word[1] == '\0') {
            parser->words[parser->word_count++] = word;
            parser->words_after_dashes += dashes;
        } else if (strcmp(word, "--") == 0) {
            dashes = true;
        } else if (word[1] == '-') {
            code = take_long_option(parser, word + 2, error);
        } else {
            code = take_option_letters(parser, word + 1, error);
        }
    }
    return code;
}

static void set_defaults(struct options *options, const struct command *command)
{
    *options = (struct options){
        .plan = {.began_ns = deadline_now_ns(),
                 .read_size = 4096,
                 .precision = PRECISION_USUAL,
                 .maximum_ns = UINT64_C(10000000000),
                 .engine = &engine_wire,
                 .load_request.arrival = ARRIVALS_POISSON,
                 .retransmissions = 3},
        .proto = TRANSPORT_TCP,
        .tcp_timeout_ns = UINT64_C(10000000000),
    };
    identity_own(&options->plan.identity);
    for (const struct option_entry *entry = command->own; entry && entry->name; entry++)
        if (entry->own)
            memset(entry->own, 0, entry->size);
    command_modes_set_defaults(command);
    if (command->set_defaults)
        command->set_defaults(options);
}

int options_parse(struct options *options, const struct command *command, int argc, char **argv,
                  struct error *error)
{
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];
    struct option_parser parser = {.entries = entries, .values = options, .given = options->given};
    int code;

    options_of(command, entries);
    set_defaults(options, command);
    options->command = command;
    code = options_parse_by(&parser, argc, argv, error);
    options->words = parser.words;
    options->word_count = parser.word_count;
    options->words_after_dashes = parser.words_after_dashes;
    return code;
}

const struct option_entry *options_find(unsigned groups, const char *name)
{
    const struct option_entry *entry;

    for (size_t i = 0; (entry = option_at(i)); i++)
        if ((entry->groups & groups) && strcmp(entry->name, name) == 0)
            return entry;
    return NULL;
}

/* Return the index of the option whose member is at OFFSET; the number of options if none is. */
static size_t place_of(const struct options *options, size_t offset)
{
    const struct option_entry *entries[OPTIONS_MAXIMUM + 1];
    size_t i = 0;

    options_of(options->command, entries);
    while (entries[i] && (entries[i]->own || entries[i]->offset != offset))
        i++;
    return i;
}

bool options_given_at(const struct options *options, size_t offset)
{
    return options->given[place_of(options, offset)];
}

void options_give_at(struct options *options, size_t offset)
{
    options->given[place_of(options, offset)] = "";
}

int options_refuse_words(const struct options *options, struct error *error)
{
    if (options->word_count == 0)
        return 0;
    return error_set(error, ERROR_USAGE, -EINVAL, "%s: unexpected argument '%.100s'",
                     options->command->name, options->words[0]);
}
