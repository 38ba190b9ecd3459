/* The embedded NFSv3 server: MOUNT v3 and NFS v3 over TCP and UDP, IPv4 and IPv6, on one port, with
 * all data in memory. It is the baseline for comparisons with other servers, so its path is short
 * and takes constant time. It can also spend a known time in a procedure, so that measurements can
 * be checked against known costs. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"
#include "rpc/xprtsec.h"
#include "serve/export/tree.h"
#include "serve/policy.h"
#include "serve/service_time.h"
#include "serve/transport/sockets.h"

enum { SERVER_NFS_PROCEDURES = POLICY_PROCEDURES, SERVER_THREADS_MAXIMUM = 256 };

/* The name under which the tree is exported. */
#define SERVER_EXPORT "/export"

/* Giving up the superuser's rights, which the server needs at most to bind a port below 1024. */

/* The user to become. Zeroed: no change. */
struct privileges {
    char name[64]; /* of the user */
    uid_t uid;
    gid_t gid;
};

/* Look up NAME, the name or number of a user other than the superuser; only the superuser can
 * become another user. 0, or -EINVAL or -EPERM with ERROR set (ERROR_USAGE). */
int privileges_find(struct privileges *privileges, const char *name, struct error *error);

/* Become that user, with that user's groups and no others, permanently: for the whole process and
 * whatever it executes. 0, or a negative errno with ERROR set. */
int privileges_drop(const struct privileges *privileges, struct error *error);

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
    uint64_t held_limit;  /* bytes of unfinished requests and replies of all connections; above it,
                             some connections are not read from; half of it is the most that
                             unfinished handshakes of TLS take */
    uint64_t stall_ns;    /* a connection is closed if its request is unfinished, or its replies are
                             unread, for so long, or its handshake of TLS takes so long */
    unsigned threads;     /* that serve, 1 or more */
    bool service_times;   /* record them, which costs some 50 ns per call */
    const char *call_log; /* file to write struct exported's call_log to; NULL: none */
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

/* Set FLAVOR to the export's flavor NUMBER, from 0 on, and move the number of calls to NFS by it to
 * CALLS. They are counted if service times are recorded; a call by Kerberos counts once its
 * signature has been verified. Returns whether there is such a flavor. */
bool server_take_calls(struct server *server, unsigned number, uint32_t *flavor, uint64_t *calls);

/* Switch the injected costs off or on, so that one server can be measured with and without them. */
void server_inject_costs(struct server *server, bool on);

/* Write what is left of the call log, after the last server_run(). Returns 0, also without a log,
 * or a negative errno with ERROR set if any of it could not be written. */
int server_end_call_log(struct server *server, struct error *error);

/* Stop the threads, close all sockets and free all memory; NULL is allowed. */
void server_close(struct server *server);

/* Look up a procedure by its lower-case name ("getattr"): its number, or -1. */
int server_procedure_number(const char *name);

/* The name of procedure NUMBER (under SERVER_NFS_PROCEDURES). */
const char *server_procedure_name(unsigned number);

/* Registering the server with this machine's rpcbind (RFC 1833), which tells clients the port. */

struct registration {
    uint32_t entries; /* bits of the entries that were made */
};

/* Register NFS, MOUNT and NFS_ACL, version 3 each, on PORT over TCP and UDP, for IPv4 and IPv6 as
 * requested. Entries of other servers are never replaced. 0; or a negative errno with ERROR set,
 * and nothing is registered. */
int registration_make(struct registration *registration, uint16_t port, bool ipv4, bool ipv6,
                      struct error *error);

/* Remove what was registered. */
void registration_end(struct registration *registration);

/* The bare echo: it answers the messages of rpc/echo.h, over TCP and UDP, like a server without any
 * work to do. Each connection has its own thread, which waits in recv() and answers by send(), the
 * fastest way for one message at a time. There are at most CONNECTED_HOSTS_MAXIMUM connections;
 * further ones are closed. A datagram gets an answer longer than itself only while its host also
 * has a connection: otherwise, datagrams with a forged source address could be used to flood
 * another host. */

/* Start to answer messages from SOCKETS, in threads that run until the process ends; their memory
 * is never freed. Signals that the caller has blocked stay blocked in them. 0, or a negative errno
 * with ERROR set. */
int echo_start(const struct sockets *sockets, struct error *error);
