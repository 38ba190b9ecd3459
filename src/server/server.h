/* The embedded NFSv3 server: MOUNT v3 and NFS v3 over TCP and UDP, IPv4 and IPv6, on one port, out
 * of memory. It is the floor that other servers are compared with, so its own path is short and
 * constant in time, and it can be told to spend a known time in a procedure, so that a measurement
 * can be checked against the truth. */
#ifndef NFSBENCH_SERVER_SERVER_H
#define NFSBENCH_SERVER_SERVER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "common/error.h"
#include "server/service_time.h"

enum { SERVER_NFS_PROCEDURES = 22, SERVER_ADDRESSES_MAXIMUM = 16 };

/* The name under which the tree is exported. */
#define SERVER_EXPORT "/export"

struct server_config {
    uint16_t port; /* for NFS and MOUNT, TCP and UDP alike; 0: one that the system picks */
    struct sockaddr_storage addresses[SERVER_ADDRESSES_MAXIMUM]; /* ports in them are ignored */
    size_t address_count; /* 0: 127.0.0.1, and ::1 where the system has it */
    /* Time spent in each NFS procedure on top of its own, by its number, in ns: spun on the
     * processor between decoding the arguments and encoding the result. */
    uint64_t cost_ns[SERVER_NFS_PROCEDURES];
    bool service_times; /* keep them; costs some 50 ns a call */
};

struct server;

/* Build the tree and bind the sockets. 0, or a negative errno with ERROR set. */
int server_open(struct server **server, const struct server_config *config, struct error *error);

/* The port that was bound. */
uint16_t server_port(const struct server *server);

/* Serve until *STOP is not 0 (checked after each signal). SIGTERM, SIGINT and SIGUSR1, whose
 * handlers set STOP, must be blocked by the caller: they are let in only between requests, so none
 * is missed. It may be called again. 0, or a negative errno with ERROR set. */
int server_run(struct server *server, const volatile sig_atomic_t *stop, struct error *error);

/* The service times of NFS procedure NUMBER since the start or since they were last forgotten; NULL
 * when they are not kept. */
const struct service_time *server_service_time(const struct server *server, unsigned number);
void server_forget_service_times(struct server *server);

/* Turn the injected costs off, or on again: so that a server can be measured with and without. */
void server_inject_costs(struct server *server, bool on);

/* Close every socket and free all memory; NULL is allowed. */
void server_close(struct server *server);

/* Look up a procedure by its lower-case name ("getattr"): its number, or -1. */
int server_procedure_number(const char *name);

/* The name of procedure NUMBER (under SERVER_NFS_PROCEDURES). */
const char *server_procedure_name(unsigned number);

#endif
