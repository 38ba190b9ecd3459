/* What a host offers to NFS clients: its RPC services with versions and ports, and its exports. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/memory.h"

enum { SERVICES_MAXIMUM = 16, SERVICE_VERSIONS_MAXIMUM = 8 };

/* Program numbers assigned by IANA. */
enum { SERVICES_NFS = 100003, SERVICES_MOUNT = 100005 };

struct service {
    uint32_t program;
    uint32_t versions[SERVICE_VERSIONS_MAXIMUM]; /* ascending */
    size_t version_count;
    uint16_t tcp_port, udp_port; /* ports by transport; 0 if not offered or not known */
};

struct services_export {
    const char *path;
    /* host names, networks and netgroups that may mount; empty if every client may */
    const char **clients;
    size_t client_count;
};

struct services {
    const char *target; /* the target as the user wrote it */
    const char *address;
    struct service services[SERVICES_MAXIMUM];
    size_t count;
    const char *portmap_missing; /* why the port mapper gave no list; NULL if it did */
    struct services_export *exports;
    size_t export_count;
    const char *exports_missing; /* why the exports are not known; NULL if they are known */
    struct arena arena;
};

/* Return the name of PROGRAM, such as "nfs"; NULL for programs that do not serve NFS. */
const char *services_name(uint32_t program);

struct service *services_service(struct services *services, uint32_t program);

/* Add VERSION to the service of PROGRAM, which is made if SERVICES lacks it. A VERSION that the
 * service already has, or has no room for, is ignored. Returns the service. Returns NULL if
 * services_name() does not know PROGRAM, or if there is no room for another service. */
struct service *services_add(struct services *services, uint32_t program, uint32_t version);

bool services_offer(const struct services *services, uint32_t program, uint32_t version);

void services_free(struct services *services);

extern const struct view view_services;
