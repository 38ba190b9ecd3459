/* Is the embedded server's tree in order? */
#ifndef NFSBENCH_FUZZ_TREE_CHECK_H
#define NFSBENCH_FUZZ_TREE_CHECK_H

#include "server/tree.h"

/* End the process where it is not: each object is found by its handle and has as many links as
 * names (a directory: two, and one for each that is in it); each directory has one name, and its
 * parent is where that is; its entries' names are different and lawful, each is found by its name,
 * and their cookies ascend; no object is without a name; no more memory is used than may be. */
void tree_check(const struct tree *tree);

/* The same of an empty tree, whose root once had entries: and all memory was given back but the
 * root's own tables. EMPTY is what was used when the tree was new. */
void tree_check_empty(const struct tree *tree, uint64_t empty);

#endif
