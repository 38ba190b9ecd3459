/* The contents of the exported tree when the server starts. */
#ifndef NFSBENCH_SERVER_FILL_H
#define NFSBENCH_SERVER_FILL_H

#include "server/tree.h"

/* The files that the user asked for, instead of the default tree. */
struct fill_plan {
    uint64_t files;       /* 0: the default tree */
    uint64_t file_size;   /* bytes in each */
    uint64_t directories; /* over which the files are spread; 0: all are in the root */
};

/* The default tree: file and file1 to file5 (H, a mebibyte of E less two bytes, O), link to file,
 * dir with hello. Otherwise PLAN's files, with data of the same kind: file0 and so on, in dir0 and
 * so on. 0, or -ENOSPC if the tree's memory limit is too low. */
int fill_tree(struct tree *tree, const struct fill_plan *plan);

#endif
