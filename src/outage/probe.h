/* The calls of a probe: each procedure over each connection at fixed times. Lost connections are
 * restored, and calls without a reply are sent again with the same xid, without limit. */
#pragma once

#include "engine/wire/connection.h"
#include "nfs/procedures/procedures.h"
#include "outage/attempts.h"
#include "outage/outage.h"

enum {
    PROBE_CONNECTIONS_MAXIMUM = 64,
    /* maximum number of unanswered calls of a procedure on a connection */
    PROBE_IN_FLIGHT = 16,
    PROBE_DEPTH = PROBE_IN_FLIGHT * OUTAGE_PROCEDURES,
};

struct probe_call {
    bool busy; /* the call is in flight; false: this entry is free */
    /* the encoded call; its bytes belong to this entry */
    struct channel_message message;
    long block;                /* index of the block that the call reads or writes; -1 for none */
    bool sync;                 /* the call is a WRITE that asks for FILE_SYNC */
    uint64_t acknowledgements; /* for a COMMIT: ACKNOWLEDGEMENTS of the blocks when it was made */
    unsigned generation;       /* GENERATION of the file that the call is for */
    uint64_t sent_ns;          /* clock_raw_ns() when the call was first sent */
};

struct probe_link {
    struct connection connection;
    /* channel that creates GSS contexts; NULL if calls are not protected by GSS */
    struct channel *context;
    struct probe_call calls[PROBE_DEPTH]; /* PROBE_IN_FLIGHT entries for each procedure */
    uint64_t next_due[OUTAGE_PROCEDURES];
    uint64_t heard_ns; /* clock_raw_ns() of the last reply or reconnection */
    struct attempts attempts;
    /* TCP: the kernel no longer reaches the server's host over the connection */
    bool is_doubtful;
    /* over UDP, by procedure: number of the entry (below PROBE_IN_FLIGHT) to send again next */
    unsigned next_repeated[OUTAGE_PROCEDURES];
    bool writes_sync; /* the last WRITE asked for FILE_SYNC, as every second WRITE does */
};

struct probe_file {
    struct nfs_handle handle;
    uint64_t id;         /* fileid3 */
    unsigned generation; /* 0 for the first file; a file that replaces it has the next number */
};

struct probe {
    struct outage *outage; /* the result: counts and gaps */
    struct blocks *blocks;
    struct identity identity;
    struct clock clock; /* clock whose ticks are ns */
    struct probe_file file;
    struct probe_link *links;
    unsigned link_count;
    uint64_t period_ns; /* ns between two calls of a procedure on a connection */
    bool is_stale;      /* the server reported that it does not know the file's handle */
    /* The handle may be lost or belong to another file, so the file must be looked up again. */
    bool is_doubted;
    uint64_t found_ns; /* clock_raw_ns() when the file was last looked up by name */
    uint64_t right_ns; /* clock_raw_ns() when the last READ without wrong data was sent */
    bool has_verifier;
    uint64_t verifier; /* the last write verifier that the server sent */
    uint8_t *data;     /* buffer for the data of a WRITE */
    int wake_fd;       /* descriptor that ends probe_wait() when it is readable; -1 for none */
};

/* Open LINKS connections to ENDPOINT, each for RATE calls/s of each procedure. PROBE's outage,
 * blocks, identity, file and wake_fd must be set. Returns 0, or a negative errno with ERROR set;
 * call probe_close() in both cases. */
int probe_open(struct probe *probe, const struct endpoint *endpoint,
               const struct channel_options *options, unsigned links, double rate,
               struct error *error);
void probe_close(struct probe *probe);

/* Send the calls due by NOW (clock_raw_ns()), or count them as not sent. Over UDP, while
 * PROBE_IN_FLIGHT calls of a procedure are unanswered, one of them is sent again instead. Returns
 * 0, or a negative errno with ERROR set. */
int probe_send_due(struct probe *probe, uint64_t now, struct error *error);

/* Wait for replies and handle them. The wait ends after 20 ms at the latest, or earlier when a call
 * or an attempt to connect is due or wake_fd is readable. Returns 0, or a negative errno with ERROR
 * set: -EBADMSG or -EMSGSIZE for data that an NFS server never sends. */
int probe_wait(struct probe *probe, struct error *error);

/* Send calls again that had no reply within the timeout, and detect broken connections. Call it
 * about 50 times a second. */
void probe_check_connections(struct probe *probe);

/* Restore each lost or doubtful connection to which an attempt has succeeded, and call over it as
 * probe_call_waiting() does. Begins attempts that are due. May wait for TLS handshakes and new GSS
 * contexts. Returns 0, or a negative errno with ERROR set. */
int probe_reconnect(struct probe *probe, struct error *error);

/* Send all further calls to ENDPOINT's address. Connections to another address are lost. */
void probe_move(struct probe *probe, const struct endpoint *endpoint);

/* Apply all further calls to FILE, which was just looked up by name. Over UDP, calls in flight are
 * given up if its handle is new. */
void probe_use(struct probe *probe, const struct probe_file *file);

/* Call at once all procedures that wait for a good answer and have no call in flight. Returns 0, or
 * a negative errno with ERROR set. */
int probe_call_waiting(struct probe *probe, struct error *error);

/* If all connections are lost, return the ns from the earliest loss to NOW (clock_raw_ns()); else
 * 0. */
uint64_t probe_lost_for(const struct probe *probe, uint64_t now);

/* Add the connections' counts to PROBE's outage. Call it once, at the end. */
void probe_finish(struct probe *probe);

/* Single calls of a probe: their arguments and their answers. */

/* Encode the next call of PROCEDURE on LINK into CALL. Returns 1; 0 if PROCEDURE is WRITE and no
 * block may be written; or a negative errno with ERROR set. */
int probe_call_make(struct probe *probe, struct probe_link *link, enum outage_procedure procedure,
                    struct probe_call *call, struct error *error);

/* Handle MESSAGE, received at NOW (clock_raw_ns()), the answer to entry NUMBER of LINK's calls.
 * Returns 0, or -EBADMSG with ERROR set if MESSAGE cannot be decoded. */
int probe_call_answered(struct probe *probe, struct probe_link *link, size_t number,
                        const struct receive_buffer_message *message, uint64_t now,
                        struct error *error);

/* Release the block of entry NUMBER of LINK's calls, which is in flight and is given up. */
void probe_call_given_up(struct probe *probe, const struct probe_link *link, size_t number);
