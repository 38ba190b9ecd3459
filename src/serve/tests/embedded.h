/* The embedded server in memory, for targets: its dispatch, with a new tree for each input. */
#pragma once

#include "nfs/procedures/items.h"
#include "serve/rpc/dispatch.h"

extern struct exported embedded_exported;
extern struct service embedded_service;

extern uint8_t *embedded_reply; /* DISPATCH_REPLY_MAXIMUM bytes */

/* To be called once, first. 0, or 1 without memory. */
int embedded_open(void);

/* Replace the tree by an empty one that may take MEMORY_LIMIT bytes, without mounts, and with a
 * policy that injects nothing. */
void embedded_renew(uint64_t memory_limit);

/* Make an object called NAME in DIRECTORY, which anyone may change; a file has SIZE bytes of data,
 * which are embedded_byte() of their offsets. */
struct tree_node *embedded_make(struct tree_node *directory, const char *name, enum tree_type type,
                                size_t size);
uint8_t embedded_byte(uint64_t offset);

struct nfs_handle embedded_handle(const struct tree_node *node);

/* The node of a handle, or NULL. */
struct tree_node *embedded_node(const struct nfs_handle *handle);

/* Dispatch a copy of MESSAGE, so that reading past its end is detected. Returns the length of
 * embedded_reply; 0: there is none. */
size_t embedded_answer(const uint8_t *message, size_t length, bool stream);

/* An xid that no earlier call of this process had: the duplicate request cache outlives inputs. */
uint32_t embedded_new_xid(void);

/* Abort unless TREE is consistent: each object is found by its handle and has as many links as
 * names (a directory: two, and one for each subdirectory); each directory has one name, and its
 * parent is the directory with that name; names in a directory are different and valid, each entry
 * is found by its name, and cookies ascend; no object lacks a name; no more memory is used than
 * allowed. */
void tree_check(const struct tree *tree);

/* The same for an empty tree, whose root had entries before: all memory was freed except the root's
 * own tables. EMPTY is the memory that was used when the tree was new. */
void tree_check_empty(const struct tree *tree, uint64_t empty);
