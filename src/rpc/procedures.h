/* Calls X(lower, UPPER) for each NFSv3 procedure with arguments (RFC 1813 section 3), in the order
 * of their numbers, from 1 on. */
#pragma once

#define RPC_EACH_NFS_PROCEDURE(X)                                                                  \
    X(getattr, GETATTR)                                                                            \
    X(setattr, SETATTR)                                                                            \
    X(lookup, LOOKUP)                                                                              \
    X(access, ACCESS)                                                                              \
    X(readlink, READLINK)                                                                          \
    X(read, READ)                                                                                  \
    X(write, WRITE)                                                                                \
    X(create, CREATE)                                                                              \
    X(mkdir, MKDIR)                                                                                \
    X(symlink, SYMLINK)                                                                            \
    X(mknod, MKNOD)                                                                                \
    X(remove, REMOVE)                                                                              \
    X(rmdir, RMDIR)                                                                                \
    X(rename, RENAME)                                                                              \
    X(link, LINK)                                                                                  \
    X(readdir, READDIR)                                                                            \
    X(readdirplus, READDIRPLUS)                                                                    \
    X(fsstat, FSSTAT) X(fsinfo, FSINFO) X(pathconf, PATHCONF) X(commit, COMMIT)
