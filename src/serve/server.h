/* The embedded NFSv3 server: version 3 of NFS, MOUNT and NFS_ACL over TCP and UDP, IPv4 and IPv6,
 * on one port, with all data in memory. Other servers are compared with it, so its code path is
 * short. The server can also spend a known time in a procedure, so that measurements can be
 * checked. */
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

#define SERVER_EXPORT "/export"

/* Privileges. The superuser may start the server, to bind a port below 1024 or to read TLS files
 * that only the superuser can read. With --user, the server then becomes another user. */

/* The user that the process becomes. Zeroed: the user is not changed. */
struct privileges {
    char name[64]; /* user name */
    uid_t uid;
    gid_t gid;
};

/* Set PRIVILEGES to user NAME (a name or number). Returns 0; or, with ERROR set (ERROR_USAGE),
 * -EINVAL if NAME is unknown, too long or the superuser, or -EPERM unless the superuser calls. */
int privileges_find(struct privileges *privileges, const char *name, struct error *error);

/* Become the user of PRIVILEGES (zeroed: nothing is done), with only that user's groups,
 * permanently and for the whole process. Returns 0, or a negative errno with ERROR set. */
int privileges_drop(const struct privileges *privileges, struct error *error);

struct server_config {
    struct sockets_plan sockets; /* one port for NFS and MOUNT, TCP and UDP */
    struct policy policy;
    struct contents_plan fill;
    struct privileges privileges; /* the user that the server becomes before it serves */
    /* File with the server's key, for flavors of Kerberos. NULL: the default keytab. */
    const char *keytab;
    /* The server's certificate and key, and the authorities of clients' certificates. Without a
     * certificate there is no TLS. */
    struct rpc_tls_files tls;
    uint64_t memory_limit; /* bytes that the exported tree may take */
    /* Limit of the bytes that connections hold for unfinished requests, replies and TLS sessions
     * (serve/transport/budget.h). From the limit on, some connections are not read from. Unfinished
     * TLS handshakes may use half of these bytes. */
    uint64_t held_limit;
    /* Time limit in ns for a client to send the rest of a request, to read replies, or to complete
     * a TLS handshake (LIMIT_NS of struct timeouts). A connection that exceeds it is closed. */
    uint64_t stall_ns;
    unsigned threads;     /* number of threads that serve, including the caller's; at least 1 */
    bool service_times;   /* record service times and count calls by flavor */
    const char *call_log; /* path of the file for the call log of struct exported; NULL: none */
};

struct server;

/* Build the tree, open the call log and the sockets, drop privileges and start all threads except
 * the caller's. The objects in the tree belong to the user who started the server. CONFIG's texts
 * must outlive the server. Returns 0, or a negative errno with ERROR set. */
int server_open(struct server **server, const struct server_config *config, struct error *error);

uint16_t server_port(const struct server *server);

bool server_has_family(const struct server *server, int family);

/* Serve until *STOP is not 0, which is checked before each turn of this thread. The caller must
 * block the signals that it handles, and their handlers must set *STOP to a value other than 0. The
 * signals of signals_add_ending() are unblocked only while the thread waits, or between turns, so
 * that none is missed. May be called again. Returns 0, or a negative errno with ERROR set. */
int server_run(struct server *server, const volatile sig_atomic_t *stop, struct error *error);

/* Add the service times of NFS procedure NUMBER to SUM, and clear the server's record of them.
 * Returns false if service times are not recorded. */
bool server_take_service_time(struct server *server, unsigned number, struct service_time *sum);

/* Set *FLAVOR to the export's security flavor NUMBER, from 0 on. Move the number of NFS calls by
 * *FLAVOR to *CALLS, so that the next count begins at 0. Calls, even refused ones, are counted only
 * if service times are recorded; a call by Kerberos only if its signature is valid. Returns false
 * if there is no flavor NUMBER. */
bool server_take_calls(struct server *server, unsigned number, uint32_t *flavor, uint64_t *calls);

/* Switch the costs of --cost and --lock on or off, to measure one server with and without them. */
void server_inject_costs(struct server *server, bool on);

/* Write the buffered rest of the call log, after the last server_run(). Returns 0, also if there is
 * no log; or a negative errno with ERROR set if any write to the log has failed. */
int server_end_call_log(struct server *server, struct error *error);

/* Stop the threads, close all sockets and free SERVER, which may be NULL. */
void server_close(struct server *server);

/* Return the number of the procedure whose lower-case name is NAME ("getattr"), or -1. */
int server_procedure_number(const char *name);

/* Return the name of procedure NUMBER, which is less than SERVER_NFS_PROCEDURES. */
const char *server_procedure_name(unsigned number);

/* Registration with this machine's rpcbind (RFC 1833), from which clients get the port. */

struct registration {
    uint32_t entries; /* the entries that were made, one bit each */
};

/* Register version 3 of NFS, MOUNT and NFS_ACL on PORT over TCP and UDP, by IPv4 if IPV4, and by
 * IPv6 if IPV6. Returns 0, or a negative errno with ERROR set and nothing registered: -EEXIST if
 * another server has one of these entries, which is kept. */
int registration_make(struct registration *registration, uint16_t port, bool ipv4, bool ipv6,
                      struct error *error);

void registration_end(struct registration *registration);

/* The bare echo: it answers the messages of rpc/echo.h over TCP and UDP, like a server that has no
 * work to do. Each connection has its own thread, which blocks in recv(), because that is fastest
 * for one message at a time. Connections beyond CONNECTED_HOSTS_MAXIMUM are closed. A datagram gets
 * an answer longer than itself only while its sender's host has a connection, so that datagrams
 * with a forged source address cannot be used to flood another host. */

/* Start threads that answer messages from SOCKETS, which must stay valid, until the process ends.
 * Signals that the caller blocks are blocked in the threads, too. Returns 0, or a negative errno
 * with ERROR set; threads may then be running. */
int echo_start(const struct sockets *sockets, struct error *error);
