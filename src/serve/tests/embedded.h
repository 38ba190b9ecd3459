/* The embedded server's dispatch layer, with a tree in memory, inside a fuzz target. */
#pragma once

#include "nfs/procedures/items.h"
#include "serve/rpc/dispatch.h"

extern struct exported embedded_exported;
extern struct service embedded_service;

extern uint8_t *embedded_reply; /* DISPATCH_REPLY_MAXIMUM bytes */

/* Open the server; call once, before the other functions. Returns 0, or 1 if there is no memory. */
int embedded_open(void);

/* Replace the tree by an empty one that may take MEMORY_LIMIT bytes; clear mounts and policy. */
void embedded_renew(uint64_t memory_limit);

/* Make an object called NAME, which anyone may change, in DIRECTORY. A file has SIZE bytes of data;
 * each byte is embedded_byte() of its offset. A symbolic link has the text NAME. */
struct tree_node *embedded_make(struct tree_node *directory, const char *name, enum tree_type type,
                                size_t size);
uint8_t embedded_byte(uint64_t offset);

struct nfs_handle embedded_handle(const struct tree_node *node);

struct tree_node *embedded_node(const struct nfs_handle *handle);

/* Dispatch a copy of MESSAGE, so that reading past its end is detected. Returns the length of the
 * reply in embedded_reply, or 0 if there is none. */
size_t embedded_answer(const uint8_t *message, size_t length, bool stream);

/* Return an xid that is new in this process, because the reply cache outlives the inputs. */
uint32_t embedded_new_xid(void);

/* Abort unless TREE is consistent. Each object must have a name and be found by its handle. A
 * directory must have one name, in its parent, and two links plus one for each subdirectory;
 * another object, as many links as names. In a directory, names must be different and valid, each
 * entry must be found by its name, and cookies must ascend. No more memory may be used than
 * allowed. */
void tree_check(const struct tree *tree);

/* Abort unless TREE, whose entries were all removed, is consistent and has freed all memory except
 * the root's own tables. EMPTY is the memory that was used when the tree was new. */
void tree_check_empty(const struct tree *tree, uint64_t empty);
