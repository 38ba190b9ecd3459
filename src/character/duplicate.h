/* What became of a request that came a second time. */
#pragma once

#include <stddef.h>

enum duplicate_fate {
    DUPLICATE_KNOWN,      /* answered as the first was: it was not carried out */
    DUPLICATE_AGAIN,      /* carried out again */
    DUPLICATE_UNANSWERED, /* dropped */
    DUPLICATE_MIXED,      /* several, and not all had one of these */
    DUPLICATE_OTHER,      /* something else, or not known */
    DUPLICATE_FATES,
};

/* "recognised", "carried out again" and so on. */
extern const char *const duplicate_names[DUPLICATE_FATES];

/* The fate of a request whose first reply was NFS3_OK, by the second reply's STATUS; WHEN_DONE is
 * that of one that is carried out twice. */
enum duplicate_fate duplicate_classify(int status, int when_done);

/* The fate that all of COUNT requests had; DUPLICATE_MIXED where they differ. */
enum duplicate_fate duplicates_common(const enum duplicate_fate *fates, size_t count);

/* "recognised: remove, create; carried out again: mkdir". Returns TEXT. */
enum { DUPLICATES_TEXT_SIZE = 256 };
const char *duplicates_describe(const enum duplicate_fate *fates, const char *const *ops,
                                size_t count, char text[DUPLICATES_TEXT_SIZE]);
