#include "serve/injection.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/units.h"
#include "nfs/status.h"
#include "serve/fault.h"
#include "serve/habit.h"
#include "serve/server.h"

enum { WORD_SIZE = 40 };

static bool parse_probability(const char *text, double *probability)
{
    char *end;

    *probability = strtod(text, &end);
    if (end != text && strcmp(end, "%") == 0) {
        *probability /= 100;
        end++;
    }
    return end != text && !*end && *probability >= 0 && *probability <= 1;
}

int serve_parse_probability(const struct option_entry *entry, const char *text, void *member,
                            struct error *error)
{
    if (parse_probability(text, member))
        return 0;
    return option_refuse(entry, text, "a probability, such as 0.01 or 1%", error);
}

/* The parts of "OP=VALUE", "OP=VALUE:PROBABILITY" or, for a fault, "OP=VALUE:NUMBER". */
struct assignment {
    int procedure;
    char value[WORD_SIZE];
    const char *rest; /* text after the colon; NULL: there is no colon */
    double probability;
};

/* Copy the LENGTH characters at FROM to WORD. Returns false if WORD is too short. */
static bool copy_word(char word[WORD_SIZE], const char *from, size_t length)
{
    snprintf(word, WORD_SIZE, "%.*s", (int)(length < WORD_SIZE ? length : 0), from);
    return length < WORD_SIZE;
}

/* Split TEXT into ASSIGNMENT. The probability becomes 1; REST must be parsed by the caller. OP may
 * be in upper or lower case. Returns false if TEXT is malformed or OP is no NFS procedure. */
static bool split_assignment(const char *text, struct assignment *assignment)
{
    size_t op_length = strcspn(text, "="), length;
    const char *value = text + op_length + (text[op_length] == '=');
    char op[WORD_SIZE];

    length = strcspn(value, ":");
    if (!text[op_length] || !copy_word(op, text, op_length) ||
        !copy_word(assignment->value, value, length))
        return false;
    for (char *letter = op; *letter; letter++)
        *letter = (char)tolower((unsigned char)*letter);
    assignment->procedure = server_procedure_number(op);
    assignment->rest = value[length] ? value + length + 1 : NULL;
    assignment->probability = 1;
    return assignment->procedure >= 0;
}

static bool parse_assignment(const char *text, struct assignment *assignment)
{
    return split_assignment(text, assignment) &&
           (!assignment->rest || parse_probability(assignment->rest, &assignment->probability));
}

int serve_parse_times(const struct option_entry *entry, const char *text, void *member,
                      struct error *error)
{
    struct policy_time *times = member;
    struct assignment assignment;
    uint64_t ns;

    if (!parse_assignment(text, &assignment) || units_parse_time(assignment.value, &ns) != 0)
        return option_refuse(entry, text,
                             "OP=TIME or OP=TIME:PROBABILITY with an NFSv3 procedure, such as "
                             "getattr=2us or read=100ms:0.1%",
                             error);
    times[assignment.procedure] = (struct policy_time){ns, assignment.probability};
    return 0;
}

int serve_parse_errors(const struct option_entry *entry, const char *text, void *member,
                       struct error *error)
{
    struct policy_error *errors = member;
    struct assignment assignment;
    int status;

    if (!parse_assignment(text, &assignment) || assignment.procedure == 0 ||
        (status = nfs_status_find(assignment.value)) < 0)
        return option_refuse(entry, text,
                             "OP=NFS3ERR_x or OP=NFS3ERR_x:PROBABILITY, such as "
                             "read=NFS3ERR_JUKEBOX:1%; NULL can't fail",
                             error);
    errors[assignment.procedure] = (struct policy_error){(nfsstat3)status, assignment.probability};
    return 0;
}

int serve_parse_faults(const struct option_entry *entry, const char *text, void *member,
                       struct error *error)
{
    struct policy_fault *faults = member;
    struct assignment assignment;
    struct policy_fault fault = {.number = 0};

    if (split_assignment(text, &assignment)) {
        fault.kind = fault_find(assignment.value, assignment.procedure);
        if (!assignment.rest || units_parse_count(assignment.rest, &fault.number) != 0)
            fault.number = 0;
    }
    if (fault.kind == FAULT_NONE || fault.number == 0)
        return option_refuse(entry, text,
                             "OP=KIND:N, such as write=lost:50, write=torn:3 or create=lost:7, "
                             "with a KIND that OP can have",
                             error);
    faults[assignment.procedure] = fault;
    return 0;
}

/* Split TEXT, "VALUE/EXTRA" or "VALUE" (*EXTRA: NULL). Returns false if VALUE is too long. */
static bool split_at_slash(const char *text, char value[WORD_SIZE], const char **extra)
{
    const size_t length = strcspn(text, "/");

    *extra = text[length] ? text + length + 1 : NULL;
    return copy_word(value, text, length);
}

int serve_parse_device(const struct option_entry *entry, const char *text, void *member,
                       struct error *error)
{
    char time[WORD_SIZE];
    const char *extra;
    uint64_t ns, at_once = 1;

    if (!split_at_slash(text, time, &extra) || units_parse_time(time, &ns) != 0 || ns == 0 ||
        (extra && units_parse_count(extra, &at_once) != 0) || at_once == 0 ||
        at_once > POLICY_DEVICE_MAXIMUM)
        return option_refuse(entry, text, "TIME or TIME/N, such as 5ms or 5ms/8, with N up to 64",
                             error);
    *(struct policy_device *)member = (struct policy_device){ns, (unsigned)at_once};
    return 0;
}

/* Set RATE from TEXT, "N" or "N/BURST". PARSE reads the numbers. EXPECTED, for the error, says
 * which values are allowed. */
static int parse_rate(const struct option_entry *entry, const char *text,
                      int (*parse)(const char *text, uint64_t *number), const char *expected,
                      struct policy_rate *rate, struct error *error)
{
    char per_second[WORD_SIZE];
    const char *extra;
    struct policy_rate parsed;

    if (!split_at_slash(text, per_second, &extra) || parse(per_second, &parsed.per_second) != 0 ||
        parse(extra ? extra : per_second, &parsed.burst) != 0 || parsed.per_second == 0 ||
        parsed.burst == 0)
        return option_refuse(entry, text, expected, error);
    *rate = parsed;
    return 0;
}

int serve_parse_call_rate(const struct option_entry *entry, const char *text, void *member,
                          struct error *error)
{
    return parse_rate(entry, text, units_parse_count,
                      "N or N/BURST, both 1 or more, such as 1000 or 1000/50", member, error);
}

int serve_parse_byte_rate(const struct option_entry *entry, const char *text, void *member,
                          struct error *error)
{
    return parse_rate(entry, text, units_parse_size,
                      "SIZE or SIZE/BURST, both 1 or more, such as 10MiB or 10MiB/1MiB", member,
                      error);
}

int serve_parse_habit(const struct option_entry *entry, const char *text, void *member,
                      struct error *error)
{
    const unsigned habit = habit_find(text);

    *(unsigned *)member |= habit;
    if (habit)
        return 0;
    return option_refuse(entry, text, "a habit that the manual page lists, such as no-attributes",
                         error);
}

/* Completion */

static const char *injected_name_at(size_t index)
{
    return index < SERVER_NFS_PROCEDURES ? server_procedure_name((unsigned)index) : NULL;
}

/* Return pair INDEX, from 0 on, of a procedure and a fault that it can have, such as "write=lost";
 * NULL after the last pair. */
static const char *faulty_name_at(size_t index)
{
    static char text[48];
    const char *procedure, *fault;

    for (size_t i = 0; (procedure = injected_name_at(i)); i++)
        for (size_t j = 0; (fault = fault_name_at(j)); j++)
            if (fault_find(fault, (int)i) != FAULT_NONE && index-- == 0) {
                snprintf(text, sizeof text, "%s=%s", procedure, fault);
                return text;
            }
    return NULL;
}

const struct option_completion serve_complete_times = {"names", injected_name_at, "="},
                               serve_complete_errors = {"assigned", injected_name_at, "=",
                                                        nfs_status_name_at},
                               serve_complete_faults = {"parts", faulty_name_at, ":"},
                               serve_complete_habit = {"words", habit_name_at, ""};
