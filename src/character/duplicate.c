#include "character/duplicate.h"

#include <stdio.h>

const char *const duplicate_names[DUPLICATE_FATES] = {
    [DUPLICATE_KNOWN] = "recognised",
    [DUPLICATE_AGAIN] = "carried out again",
    [DUPLICATE_UNANSWERED] = "not answered",
    [DUPLICATE_MIXED] = "recognised for some procedures only",
    [DUPLICATE_OTHER] = "not known",
};

enum duplicate_fate duplicate_classify(int status, int when_done)
{
    return status == 0 ? DUPLICATE_KNOWN : status == when_done ? DUPLICATE_AGAIN : DUPLICATE_OTHER;
}

enum duplicate_fate duplicates_common(const enum duplicate_fate *fates, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (fates[i] != fates[0])
            return DUPLICATE_MIXED;
    return fates[0];
}

/* Those with one fate, after the USED characters at TEXT. Returns how many are used then. */
static size_t describe_one(enum duplicate_fate fate, const enum duplicate_fate *fates,
                           const char *const *ops, size_t count, char *text, size_t used)
{
    const char *separator = ": ";

    for (size_t i = 0; i < count && used < DUPLICATES_TEXT_SIZE; i++) {
        if (fates[i] != fate)
            continue;
        if (separator[0] == ':')
            used += (size_t)snprintf(text + used, DUPLICATES_TEXT_SIZE - used, "%s%s",
                                     used ? "; " : "", duplicate_names[fate]);
        if (used < DUPLICATES_TEXT_SIZE)
            used += (size_t)snprintf(text + used, DUPLICATES_TEXT_SIZE - used, "%s%s", separator,
                                     ops[i]);
        separator = ", ";
    }
    return used;
}

const char *duplicates_describe(const enum duplicate_fate *fates, const char *const *ops,
                                size_t count, char text[DUPLICATES_TEXT_SIZE])
{
    size_t used = 0;

    text[0] = '\0';
    for (enum duplicate_fate fate = 0; fate < DUPLICATE_FATES && used < DUPLICATES_TEXT_SIZE;
         fate++)
        used = describe_one(fate, fates, ops, count, text, used);
    return text;
}
