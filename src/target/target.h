/* The server and export to measure, as users write them:
 *   host:/export/path   [v6]:/export/path
 *   nfs://host[:port]/export/path[?mountport=N&nfsport=N&proto=tcp|udp&version=3]   (RFC 2224)
 *   self:[/path]        the embedded server, started for this run
 *   /path   ./path   ../path   .   a directory or file on a mount of the kernel's NFS client */
#pragma once

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "engine/channel/endpoint.h"

enum { TARGET_HOST_SIZE = 256, TARGET_PATH_SIZE = 1025 /* path: MNTPATHLEN (1024) and a null */ };

enum { TARGET_NFS_PORT = 2049 /* usual port of NFS */ };

struct target {
    bool self;
    bool mounted;                /* true: the target is a path on a mount, and HOST is empty */
    char host[TARGET_HOST_SIZE]; /* a name or an address, without brackets */
    /* Path without trailing slashes. Of self:, the part below the export; of a mount, it may be
     * relative. */
    char path[TARGET_PATH_SIZE];
    uint16_t nfs_port, mount_port; /* ports; 0: ask the port mapper */
    enum transport transport;      /* TCP unless the URL names another one */
};

/* Parse TEXT into TARGET. Returns 0, or -EINVAL with ERROR set (ERROR_USAGE). */
int target_parse(const char *text, struct target *target, struct error *error);

/* Return whether TEXT is a host without an export, "host:" or "[v6]:", but not "self:". If so,
 * TARGET is set, with an empty path; otherwise TARGET is undefined. */
bool target_parse_host(const char *text, struct target *target);

/* Return whether TEXT is "HOST:PORT" or "[V6]:PORT". If so, TARGET and its NFS port are set;
 * otherwise TARGET is undefined. */
bool target_parse_endpoint(const char *text, struct target *target);

/* Look up the ADDRESSES of TARGET's host; release them with freeaddrinfo(). Returns 0, or with
 * ERROR set: -EHOSTUNREACH for an unknown name or another failure, -ETIMEDOUT at the DEADLINE,
 * -EINTR by a signal. */
int target_resolve(const struct target *target, const struct deadline *deadline,
                   struct addrinfo **addresses, struct error *error);

/* Return an endpoint at ADDRESS, without a port, over TARGET's transport. */
struct endpoint target_endpoint(const struct target *target, const struct addrinfo *address);
