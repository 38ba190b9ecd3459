/* The ops that are several calls. */
#pragma once

#include "engine/sequence.h"

/* A directory from its beginning to its end. */
extern const struct engine_sequence nfs_sequence_listing;

/* A tree, in find's order, with as many directories at the same time as its objects say. */
extern const struct engine_sequence nfs_sequence_walk;

/* A call, as many times as the op of another call was one (nfs_call_repeat()). */
extern const struct engine_sequence nfs_sequence_repeated;
