/* The embedded NFSv3 server: MOUNT v3 and NFS v3 over TCP and UDP, IPv4 and IPv6, on one port, out
 * of memory. It is the floor that other servers are compared with, so its own path is short and
 * constant in time,and it can be asked to spend a known time in a procedure, so that a measurement
 * can be checked against the truth. */
#ifndef NFSBENCH_SERVER_SERVER_H
#define NFSBENCH_SERVER_SERVER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "server/fill.h"
#include "server/policy.h"
#include "server/privileges.h"
#include "server/service_time.h"
#include "server/sockets.h"

enum { SERVER_NFS_PROCEDURES = POLICY_PROCEDURES, SERVER_THREADS_MAXIMUM = 256 };

/* The name under which the tree is exported. */
#define SERVER_EXPORT "/export"

struct server_config {
    struct sockets_plan sockets; /* NFS and MOUNT, TCP and UDP are on one port */
    struct policy policy;
    struct fill_plan fill;
    struct privileges privileges; /* with which calls are served */
    uint64_t memory_limit;        /* bytes that the exported tree may take */
    uint64_t held_limit; /* bytes of unfinished requests and of replies, of all connections; some
                            are not read from meanwhile */
    uint64_t stall_ns;   /* a connection that owes the rest of a request, or leaves its replies,
                            for so long is closed */
    unsigned threads;    /* that serve, 1 or more */
    bool service_times;  /* keep them; costs some 50 ns a call */
};

struct server;

/* Build the tree, bind the sockets, drop privileges, start the threads but the caller's: they serve
 * from now on. The tree belongs to who started it. The
 * signals named below must be blocked. 0, or a negative errno with ERROR set. */
int server_open(struct server **server, const struct server_config *config, struct error *error);

/* The port that was bound. */
uint16_t server_port(const struct server *server);

/* Does it listen on an address of FAMILY? */
bool server_has_family(const struct server *server, int family);

/* Serve until *STOP is not 0 (checked after each signal). SIGTERM, SIGINT, SIGUSR1 and SIGUSR2,
 * whose handlers set STOP, must be blocked by the caller: they are let in only between turns (of
 * what has come over each connection), so none is missed. It may be called again. 0, or a negative
 * errno with ERROR set. */
int server_run(struct server *server, const volatile sig_atomic_t *stop, struct error *error);

/* Add the service times of NFS procedure NUMBER to SUM, and forget them; whether they are kept at
 * all. */
bool server_take_service_time(struct server *server, unsigned number, struct service_time *sum);

/* Turn the injected costs off, or on again: so that a server can be measured with and without. */
void server_inject_costs(struct server *server, bool on);

/* End the threads, close every socket and free all memory; NULL is allowed. */
void server_close(struct server *server);

/* Look up a procedure by its lower-case name ("getattr"): its number, or -1. */
int server_procedure_number(const char *name);

/* The name of procedure NUMBER (under SERVER_NFS_PROCEDURES). */
const char *server_procedure_name(unsigned number);

#endif
