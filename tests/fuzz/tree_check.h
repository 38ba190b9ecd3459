/* Is the embedded server's tree consistent? */
#pragma once

#include "server/tree.h"

/* Abort if it is not: each object is found by its handle and has as many links as names (a
 * directory: two, and one for each subdirectory); each directory has one name, and its parent is
 * the directory with that name; names in a directory are different and valid, each entry is found
 * by its name, and cookies ascend; no object lacks a name; no more memory is used than allowed. */
void tree_check(const struct tree *tree);

/* The same for an empty tree, whose root had entries before: all memory was freed except the root's
 * own tables. EMPTY is the memory that was used when the tree was new. */
void tree_check_empty(const struct tree *tree, uint64_t empty);
