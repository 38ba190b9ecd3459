/* First touches of files against later ones: by LOOKUP, GETATTR and READ. */
#pragma once

#include "character/character.h"
#include "character/lab.h"

enum { TOUCHES_FILES = 16, TOUCHES_BYTES = 8 << 10 };

struct touches {
    struct lab *lab;
    struct touched_file {
        char name[NFS_VARIANT_NAME_SIZE];
        struct nfs_handle handle;
    } files[TOUCHES_FILES];
};

/* Make the files, of TOUCHES_BYTES. Returns 0, or a negative errno with ERROR set. */
int touches_make(struct touches *touches, struct lab *lab, struct error *error);

/* Touch each file twice by each op, and add to ANSWER what the first takes more than the second,
 * WHEN ("a new file", "after a pause"). *COLD is whether that is certainly more than anybody
 * notices. Returns 0, or a negative errno with ERROR set. */
int touches_compare(struct touches *touches, const char *when, struct character_answer *answer,
                    bool *cold, struct error *error);
