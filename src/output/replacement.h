/* A file that appears whole or not at all: it is written without a name, or under one that nobody
 * can foresee, and takes its place when it is complete. */
#pragma once

#include <stdio.h>

#include "output/destination.h"

enum { REPLACEMENT_NAME_SIZE = 232 }; /* ".", the first 200 bytes of a name, ".", 16 digits */

struct replacement {
    const struct destination *destination; /* a DESTINATION_FILE */
    FILE *out;
    char name[REPLACEMENT_NAME_SIZE]; /* that it has so far; "" for none */
};

/* Begin the file that is to stand at DESTINATION; write to REPLACEMENT's OUT. 0, or a negative
 * errno. A process that is killed leaves nothing where the file system has files without a name
 * (O_TMPFILE), else a file .NAME.0123456789abcdef. */
int replacement_begin(struct replacement *replacement, const struct destination *destination);

/* Put it into its place, with the mode of what stood there, and its owner and group where this user
 * may give them. 0, or a negative errno (what stood there stands there still): -EBUSY, -EPERM or
 * -EACCES where that can't be replaced, as it is a mount point, or another's. */
int replacement_commit(struct replacement *replacement);

/* Forget it. */
void replacement_abandon(struct replacement *replacement);
