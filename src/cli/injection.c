#include "cli/injection.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/units.h"
#include "nfs/status.h"
#include "server/habit.h"
#include "server/sequence_window.h"
#include "server/server.h"

static int refuse(struct error *error, const char *option, const char *text, const char *expected)
{
    return error_set(error, ERROR_USAGE, -EINVAL, "--%s '%.100s': expected %s", option, text,
                     expected);
}

/* A probability from 0 to 1, such as "0.01" or "1%". */
static int parse_probability(const char *text, double *probability)
{
    char *end;

    *probability = strtod(text, &end);
    if (end != text && strcmp(end, "%") == 0) {
        *probability /= 100;
        end++;
    }
    return end != text && !*end && *probability >= 0 && *probability <= 1 ? 0 : -EINVAL;
}

/* The procedure in "OP=..."; -1 if there is none. *VALUE is what follows the sign. */
static int parse_procedure(const char *text, const char **value)
{
    const char *equals = strchr(text, '=');
    char op[32];

    if (!equals)
        return -1;
    *value = equals + 1;
    snprintf(op, sizeof op, "%.*s", (int)(equals - text < 31 ? equals - text : 31), text);
    for (char *letter = op; *letter; letter++)
        *letter = (char)tolower((unsigned char)*letter);
    return server_procedure_number(op);
}

/* "2us" or "100ms:1%". */
static int parse_time(const char *text, struct policy_time *time)
{
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    char word[32];

    if (length >= sizeof word)
        return -EINVAL;
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    time->probability = 1;
    if (units_parse_time(word, &time->ns) != 0)
        return -EINVAL;
    return colon ? parse_probability(colon + 1, &time->probability) : 0;
}

static int parse_times(const char *option, const struct option_list *list,
                       struct policy_time times[], struct error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *value;
        int procedure = parse_procedure(list->values[i], &value);

        if (procedure < 0 || parse_time(value, &times[procedure]) != 0)
            return refuse(error, option, list->values[i],
                          "OP=TIME or OP=TIME:PROBABILITY with an NFSv3 procedure, such as "
                          "getattr=2us or read=100ms:0.1%");
    }
    return 0;
}

/* "NFS3ERR_IO" or "NFS3ERR_IO:1%". */
static int parse_error(const char *text, nfsstat3 *status, double *probability)
{
    const char *colon = strchr(text, ':');
    char name[NFS_STATUS_NAME_SIZE];
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    int found;

    if (length >= sizeof name)
        return -EINVAL;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    found = nfs_status_find(name);
    if (found < 0)
        return -EINVAL;
    *status = (nfsstat3)found;
    *probability = 1;
    return colon ? parse_probability(colon + 1, probability) : 0;
}

static int parse_errors(const struct option_list *list, struct policy *policy, struct error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *value;
        int procedure = parse_procedure(list->values[i], &value);

        if (procedure <= 0 || parse_error(value, &policy->errors[procedure].status,
                                          &policy->errors[procedure].probability) != 0)
            return refuse(error, "error", list->values[i],
                          "OP=NFS3ERR_x or OP=NFS3ERR_x:PROBABILITY, such as "
                          "read=NFS3ERR_JUKEBOX:1%; NULL can't fail");
    }
    return 0;
}

/* TEXT, the value of --OPTION, is a number of calls; NULL: not given. */
static int parse_calls(const char *option, const char *text, uint64_t *calls, struct error *error)
{
    if (text && (units_parse_count(text, calls) != 0 || *calls == 0))
        return refuse(error, option, text, "a number of calls, 1 or more");
    return 0;
}

static int parse_window(const char *text, uint32_t *window, struct error *error)
{
    uint64_t size = 0;

    _Static_assert(SEQUENCE_WINDOW_MAXIMUM == 1024, "as the text says");
    if (text &&
        (units_parse_count(text, &size) != 0 || size == 0 || size > SEQUENCE_WINDOW_MAXIMUM))
        return refuse(error, "sequence-window", text, "a number from 1 to 1024");
    *window = (uint32_t)size;
    return 0;
}

static int parse_habits(const struct option_list *list, struct policy *policy, struct error *error)
{
    for (size_t i = 0; i < list->count; i++) {
        const unsigned habit = habit_find(list->values[i]);

        if (habit == 0)
            return refuse(error, "habit", list->values[i],
                          "one of those that the manual page names, such as no-attributes");
        policy->habits |= habit;
    }
    return 0;
}

int injection_apply(const struct injection *injection, struct policy *policy, struct error *error)
{
    int code = parse_times("cost", &injection->costs, policy->costs, error);

    if (code == 0)
        code = parse_times("delay", &injection->delays, policy->delays, error);
    if (code == 0)
        code = parse_errors(&injection->errors, policy, error);
    if (code == 0)
        code = parse_habits(&injection->habits, policy, error);
    if (code)
        return code;
    if (injection->drop && parse_probability(injection->drop, &policy->drop) != 0)
        return refuse(error, "drop", injection->drop, "a probability, such as 0.01 or 1%");
    if (injection->duplicate && parse_probability(injection->duplicate, &policy->duplicate) != 0)
        return refuse(error, "dup", injection->duplicate, "a probability, such as 0.01 or 1%");
    code = parse_calls("reset-after", injection->reset_after, &policy->reset_after, error);
    if (code == 0)
        code =
            parse_calls("forget-context", injection->forget_context, &policy->context_calls, error);
    return code ? code : parse_window(injection->sequence_window, &policy->context_window, error);
}

bool injection_is_given(const struct injection *injection)
{
    const char *words[INJECTION_WORDS_MAXIMUM];

    injection_words(injection, words);
    return words[0] != NULL;
}

static size_t add_words(const char *words[], size_t count, const char *option,
                        const char *const values[], size_t value_count)
{
    for (size_t i = 0; i < value_count; i++) {
        words[count++] = option;
        words[count++] = values[i];
    }
    return count;
}

void injection_words(const struct injection *injection, const char *words[INJECTION_WORDS_MAXIMUM])
{
    const struct injection *from = injection;
    size_t count = 0;

    count = add_words(words, count, "--cost", from->costs.values, from->costs.count);
    count = add_words(words, count, "--delay", from->delays.values, from->delays.count);
    count = add_words(words, count, "--error", from->errors.values, from->errors.count);
    count = add_words(words, count, "--habit", from->habits.values, from->habits.count);
    count = add_words(words, count, "--drop", &from->drop, from->drop != NULL);
    count = add_words(words, count, "--dup", &from->duplicate, from->duplicate != NULL);
    count = add_words(words, count, "--reset-after", &from->reset_after, from->reset_after != NULL);
    count = add_words(words, count, "--forget-context", &from->forget_context,
                      from->forget_context != NULL);
    count = add_words(words, count, "--sequence-window", &from->sequence_window,
                      from->sequence_window != NULL);
    words[count] = NULL;
}
