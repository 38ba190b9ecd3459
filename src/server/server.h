/* The embedded NFSv3 server: MOUNT v3 and NFS v3 over TCP and UDP, IPv4 and IPv6, on one port, with
 * all data in memory. It is the baseline for comparisons with other servers, so its path is short
 * and takes constant time. It can also spend a known time in a procedure, so that measurements can
 * be checked against known costs. */
#ifndef NFSBENCH_SERVER_SERVER_H
#define NFSBENCH_SERVER_SERVER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "rpc/tls.h"
#include "server/policy.h"
#include "server/privileges.h"
#include "server/service_time.h"
#include "server/sockets.h"
#include "server/tree.h"

enum { SERVER_NFS_PROCEDURES = POLICY_PROCEDURES, SERVER_THREADS_MAXIMUM = 256 };

/* The name under which the tree is exported. */
#define SERVER_EXPORT "/export"

struct server_config {
    struct sockets_plan sockets; /* NFS and MOUNT, TCP and UDP are on one port */
    struct policy policy;
    struct fill_plan fill;
    struct privileges privileges; /* of the process while it serves */
    const char *keytab; /* with the server's key, where the policy has flavours of Kerberos; NULL:
                           the system's */
    struct rpc_tls_files tls; /* the server's certificate and key, and the authorities of clients';
                                 without a certificate there is no TLS */
    uint64_t memory_limit;    /* bytes that the exported tree may take */
    uint64_t held_limit; /* bytes of unfinished requests and replies of all connections; above it,
                            some connections are not read from */
    uint64_t stall_ns;   /* a connection is closed if its request is unfinished, or its replies are
                            unread, for so long */
    unsigned threads;    /* that serve, 1 or more */
    bool service_times;  /* record them, which costs some 50 ns per call */
};

struct server;

/* Build the tree, bind the sockets, drop privileges and start all threads except the caller's,
 * which begin to serve. The objects in the tree belong to the user who started the server. The
 * signals named below must be blocked. 0, or a negative errno with ERROR set. */
int server_open(struct server **server, const struct server_config *config, struct error *error);

/* The port that was bound. */
uint16_t server_port(const struct server *server);

/* Does it listen on an address of FAMILY? */
bool server_has_family(const struct server *server, int family);

/* Serve until *STOP is not 0 (checked after each signal). The caller must block SIGTERM, SIGINT,
 * SIGUSR1 and SIGUSR2, whose handlers set STOP: they are unblocked only between turns, so none is
 * missed. May be called again. 0, or a negative errno with ERROR set. */
int server_run(struct server *server, const volatile sig_atomic_t *stop, struct error *error);

/* Move the service times of NFS procedure NUMBER to SUM. Returns whether they are recorded at all.
 */
bool server_take_service_time(struct server *server, unsigned number, struct service_time *sum);

/* Switch the injected costs off or on, so that one server can be measured with and without them. */
void server_inject_costs(struct server *server, bool on);

/* Stop the threads, close all sockets and free all memory; NULL is allowed. */
void server_close(struct server *server);

/* Look up a procedure by its lower-case name ("getattr"): its number, or -1. */
int server_procedure_number(const char *name);

/* The name of procedure NUMBER (under SERVER_NFS_PROCEDURES). */
const char *server_procedure_name(unsigned number);

#endif
