/* What a host offers to NFS clients: its RPC services with versions and ports, and its exports. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/memory.h"

enum { SERVICES_MAXIMUM = 16, SERVICE_VERSIONS_MAXIMUM = 8 };

/* The programs' numbers, as assigned by IANA. */
enum { SERVICES_NFS = 100003, SERVICES_MOUNT = 100005 };

struct service {
    uint32_t program;
    uint32_t versions[SERVICE_VERSIONS_MAXIMUM]; /* ascending */
    size_t version_count;
    uint16_t tcp_port, udp_port; /* 0: not offered, or not known */
};

struct services_export {
    const char *path;
    const char **clients; /* host names, networks, netgroups; none: every client */
    size_t client_count;
};

struct services {
    const char *target; /* as the user wrote it */
    const char *address;
    struct service services[SERVICES_MAXIMUM];
    size_t count;
    const char *portmap_missing; /* why the port mapper told nothing; NULL: it did */
    struct services_export *exports;
    size_t export_count;
    const char *exports_missing; /* why the exports are not known; NULL: they are */
    struct arena arena;
};

/* The name of PROGRAM, which is one of those that NFS consists of: "nfs"; NULL for any other. */
const char *services_name(uint32_t program);

/* PROGRAM's service, or NULL. */
struct service *services_service(struct services *services, uint32_t program);

/* Add VERSION of PROGRAM, unless it is there already, to PROGRAM's service. Returns the service;
 * NULL if PROGRAM is none of NFS's, or there is no room for it. */
struct service *services_add(struct services *services, uint32_t program, uint32_t version);

/* Does the host offer VERSION of PROGRAM? */
bool services_offer(const struct services *services, uint32_t program, uint32_t version);

void services_free(struct services *services);

extern const struct view view_services;
