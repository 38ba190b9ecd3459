/* The calls of a probe: some of each procedure over each connection, when they are due, whatever
 * happened to earlier ones. Connections that are lost are made again, and calls without a reply are
 * sent again with the same xid, without an end. */
#pragma once

#include "engine/wire/connection.h"
#include "nfs/procedures/procedures.h"
#include "outage/attempts.h"
#include "outage/outage.h"

enum {
    PROBE_CONNECTIONS_MAXIMUM = 64,
    PROBE_IN_FLIGHT = 16, /* calls of a procedure over a connection that may be without a reply */
    PROBE_DEPTH = PROBE_IN_FLIGHT * OUTAGE_PROCEDURES,
};

/* A call that is in flight, or a place for one. */
struct probe_call {
    bool busy;
    struct channel_message message; /* its bytes are the place's own, and stay */
    long block;                     /* that it reads or writes; -1: none */
    bool sync;                      /* of a WRITE: it asked for FILE_SYNC */
    uint64_t acknowledgements;      /* of a COMMIT: WRITEs acknowledged before it was sent */
    unsigned generation;            /* of the file that it is applied to */
    uint64_t sent_ns;               /* clock_raw_ns() */
};

struct probe_link {
    struct connection connection;
    struct channel *context; /* over which its security context is established; NULL: none is */
    struct probe_call calls[PROBE_DEPTH]; /* those of a procedure beside one another */
    uint64_t next_due[OUTAGE_PROCEDURES];
    uint64_t heard_ns;        /* when the last reply came, or the connection was made */
    struct attempts attempts; /* to make another connection */
    bool
        is_doubtful; /* the server's host no longer acknowledges what is sent over the connection */
    unsigned next_repeated[OUTAGE_PROCEDURES]; /* over UDP: the call that is sent again next */
    bool writes_sync; /* the next WRITE asks for FILE_SYNC; every other does */
};

struct probe_file {
    struct nfs_handle handle;
    uint64_t id;         /* fileid3 */
    unsigned generation; /* a file that was made anew has another one */
};

struct probe {
    struct outage *outage; /* counts, and gaps */
    struct blocks *blocks;
    struct identity identity;
    struct clock clock; /* its ticks are ns */
    struct probe_file file;
    struct probe_link *links;
    unsigned link_count;
    uint64_t period_ns; /* between two calls of a procedure over a connection */
    bool is_stale;      /* the server no longer knows the file's handle */
    bool is_doubted;    /* the handle may have become that of another file: answers are not those
                         * that the file would give */
    uint64_t found_ns;  /* clock_raw_ns(): when the file was last found by its name */
    uint64_t right_ns;  /* clock_raw_ns(): when the last READ with the right data was sent */
    bool has_verifier;
    uint64_t verifier; /* the last one */
    uint8_t *data;     /* for a WRITE */
    int wake_fd;       /* descriptor that ends probe_wait() when it is readable; -1: none */
};

/* Connect. OUTAGE, BLOCKS, IDENTITY, FILE and WAKE_FD are set. Returns 0, or a negative
 * errno with ERROR set; call probe_close() in either case. */
int probe_open(struct probe *probe, const struct endpoint *endpoint,
               const struct channel_options *options, unsigned links, double rate,
               struct error *error);
void probe_close(struct probe *probe);

/* Send the calls that are due by NOW (clock_raw_ns()). Returns 0, or a negative errno with ERROR
 * set. */
int probe_send_due(struct probe *probe, uint64_t now, struct error *error);

/* Wait until the next call is due, for 20 ms at most, and handle the replies that come. Returns 0,
 * or a negative errno with ERROR set: -EBADMSG or -EMSGSIZE for what no NFS server sends. */
int probe_wait(struct probe *probe, struct error *error);

/* Send again what has no reply, and find connections that no longer reach the server. To be called
 * some 50 times a second. */
void probe_look(struct probe *probe);

/* Restore connections, as far as that is possible without waiting. Returns 0, or a negative errno
 * with ERROR set. */
int probe_reconnect(struct probe *probe, struct error *error);

/* From now on calls go to ENDPOINT. */
void probe_move(struct probe *probe, const struct endpoint *endpoint);

/* From now on calls are applied to FILE, which was just found by its name. */
void probe_use(struct probe *probe, const struct probe_file *file);

/* Make calls at once of the procedures that wait for a good answer and have no call in flight.
 * Returns 0, or a negative errno with ERROR set. */
int probe_call_waiting(struct probe *probe, struct error *error);

/* For how long no connection could be made, ns; 0 where there is one. */
uint64_t probe_lost_for(const struct probe *probe, uint64_t now);

/* Add the connections' counts to the outage's. To be called once, at the end. */
void probe_finish(struct probe *probe);

/* The calls of a probe one by one: what they ask for, and what their answers mean. */

/* Encode the next call of PROCEDURE over LINK into CALL. Returns 1; 0 if there is nothing to call
 * it on; or a negative errno with ERROR set. */
int probe_call_make(struct probe *probe, struct probe_link *link, enum outage_procedure procedure,
                    struct probe_call *call, struct error *error);

/* Call NUMBER over LINK was answered by MESSAGE at NOW. Returns 0, also for an error that the
 * server gave; or -EBADMSG with ERROR set. */
int probe_call_answered(struct probe *probe, struct probe_link *link, size_t number,
                        const struct receive_buffer_message *message, uint64_t now,
                        struct error *error);

/* No answer to call NUMBER over LINK, which is in flight, is expected any more. */
void probe_call_given_up(struct probe *probe, const struct probe_link *link, size_t number);
