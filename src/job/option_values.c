#include "job/option_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/append.h"
#include "common/cpu.h"
#include "common/nearest.h"
#include "common/units.h"
#include "engine/engines.h"
#include "job/options.h"

enum { WORD_SIZE = 48 };

int option_refuse(const struct option_entry *entry, const char *text, const char *expected,
                  struct error *error)
{
    return error_set(error, ERROR_USAGE, -EINVAL, "--%s '%.100s': expected %s", entry->name, text,
                     expected);
}

char *option_word(const char **at, char *word, size_t size)
{
    const size_t length = strcspn(*at, ",");

    if (length < size)
        snprintf(word, size, "%.*s", (int)length, *at);
    else
        snprintf(word, size, "%.*s...", (int)(size - 4), *at);
    *at = (*at)[length] ? *at + length + 1 : NULL;
    return word;
}

static int refuse_engine(const struct option_entry *entry, const char *text, struct error *error)
{
    const char *package = engine_missing_package(text);
    char names[128] = "", hint[NEAREST_HINT_SIZE];
    struct nearest nearest;

    if (package)
        return error_set(error, ERROR_USAGE, -ENOTSUP,
                         "--%s %s: this nfsbench was built without it; install %s and build again",
                         entry->name, text, package);
    nearest_begin(&nearest, text);
    for (size_t i = 0; engine_types[i]; i++) {
        append_item(names, sizeof names, "%s", engine_types[i]->name);
        nearest_offer(&nearest, engine_types[i]->name);
    }
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "--%s '%.100s' is not known; expected one of %s%s", entry->name, text, names,
                     nearest_hint(&nearest, hint));
}

int option_parse_engine(const struct option_entry *entry, const char *text, void *member,
                        struct error *error)
{
    const struct engine_type *engine = engine_find(text);

    *(const struct engine_type **)member = engine;
    return engine ? 0 : refuse_engine(entry, text, error);
}

/* Parse WORD into one member of PRECISION: a share of the cost ("1%") or a time. Returns false if
 * WORD is invalid. */
static bool parse_width(const char *word, struct precision *precision)
{
    size_t length = strlen(word);
    uint64_t ns = 0;
    char *end;

    if (length == 0 || word[length - 1] != '%') {
        bool good = units_parse_time(word, &ns) == 0 && ns > 0;

        precision->ns = (double)ns;
        return good;
    }
    precision->share = strtod(word, &end) / 100;
    return end != word && strcmp(end, "%") == 0 && precision->share > 0 && precision->share < 1;
}

int option_parse_precision(const struct option_entry *entry, const char *text, void *member,
                           struct error *error)
{
    struct precision *precision = member;
    bool good = true;
    char word[WORD_SIZE];

    *precision = (struct precision){.share = 0};
    for (const char *at = text; good && at;)
        good = parse_width(option_word(&at, word, sizeof word), precision);
    if (good)
        return 0;
    return option_refuse(entry, text,
                         "a share of the cost (above 0 %, below 100 %), a time above 0, or both, "
                         "such as 1%, 20ns or 1%,20ns",
                         error);
}

int option_parse_pattern(const struct option_entry *entry, const char *text, void *member,
                         struct error *error)
{
    if (pattern_parse(text, member) == 0)
        return 0;
    return option_refuse(entry, text,
                         "same, sequential, random, zipf:S with an exponent S above 0 and up to "
                         "10, or stride:N with a step of N places",
                         error);
}

int option_parse_extent(const struct option_entry *entry, const char *text, void *member,
                        struct error *error)
{
    struct nfs_extent *extent = member;
    bool files = strspn(text, "0123456789") == strlen(text);

    *extent = (struct nfs_extent){.bytes = 0};
    if (units_parse_size(text, files ? &extent->files : &extent->bytes) == 0 &&
        extent->files + extent->bytes > 0)
        return 0;
    return option_refuse(
        entry, text,
        "a number of bytes with its unit, such as 64Mi, or a number of files, such as 100", error);
}

/* Parse a range of processors at *AT, such as "0-3" or "6", set *AT to the text after it, and add
 * the processors to LOAD. Returns false if the range is invalid or LOAD has no room for it. */
static bool parse_cpu_range(const char **at, struct load *load)
{
    char *end;
    unsigned long first = strtoul(*at, &end, 10), last = first;

    if (end == *at || **at == '-')
        return false;
    if (*end == '-') {
        *at = end + 1;
        last = strtoul(*at, &end, 10);
    }
    if (end == *at || last < first || last > UINT16_MAX)
        return false;
    for (; first <= last && load->cpu_count < LOAD_CPUS_MAXIMUM; first++)
        load->cpus[load->cpu_count++] = (uint16_t)first;
    *at = end;
    return first > last;
}

static int check_allowed(const struct option_entry *entry, const struct load *load,
                         struct error *error)
{
    for (unsigned i = 0; i < load->cpu_count; i++)
        if (!cpu_is_allowed(load->cpus[i]))
            return error_set(
                error, ERROR_USAGE, -EINVAL,
                "--%s: this process may not use processor %u; give one that 'taskset -cp' lists",
                entry->name, load->cpus[i]);
    return 0;
}

int option_parse_cpus(const struct option_entry *entry, const char *text, void *member,
                      struct error *error)
{
    struct load *load = (struct load *)(void *)((char *)member - offsetof(struct load, cpus));
    const char *at = text;

    load->cpu_count = 0;
    while (parse_cpu_range(&at, load)) {
        if (!*at)
            return check_allowed(entry, load, error);
        if (*at++ != ',')
            break;
    }
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "--%s '%.60s': expected numbers of processors, %d at most, such as 0 or 0-3,6",
                     entry->name, text, LOAD_CPUS_MAXIMUM);
}

#define OF(field) offsetof(struct option_versus, field)

static const struct {
    const char *name;
    size_t member;
} own_options[] = {{"proto", OF(proto)},
                   {"engine", OF(engine)},
                   {"sec", OF(security)},
                   {"xprtsec", OF(transport_security)},
                   {"server-start", OF(server_start)}};

const char *option_versus_name_at(size_t index)
{
    return index < sizeof own_options / sizeof own_options[0] ? own_options[index].name : NULL;
}

/* TEXT is "NAME=VALUE". Set the option NAME, the first LENGTH bytes of TEXT, in VERSUS. */
static int set_own(struct option_versus *versus, const char *text, size_t length,
                   struct error *error)
{
    for (size_t i = 0; i < sizeof own_options / sizeof own_options[0]; i++)
        if (strlen(own_options[i].name) == length &&
            strncmp(own_options[i].name, text, length) == 0) {
            struct option_entry own = *options_find(GROUPS_RUN, own_options[i].name);

            own.offset = own_options[i].member;
            versus->changed |= 1U << i;
            return options_store(&own, text + length + 1, versus, error);
        }
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "--versus '%.60s': expected a target, or proto=, engine=, sec=, xprtsec= or "
                     "server-start=",
                     text);
}

int option_parse_versus(const struct option_entry *entry, const char *text, void *member,
                        struct error *error)
{
    struct option_versus *versus = member;
    const size_t length = strcspn(text, ":/=");

    if (text[length] == '=')
        return set_own(versus, text, length, error);
    versus->text = text;
    return target_parse(text, &versus->target, error);
}
