#include "character/transfers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nfs/status.h"

enum { DATAGRAM_MOST = 16 << 10, SIZES_LEAST = 3, OWN_SIZES = 2 /* the server's */ };

const char *const transfer_names[TRANSFER_KINDS] = {"READ", "WRITE"};

static const char *const ops[TRANSFER_KINDS] = {"read", "write"};
static const uint32_t usual_sizes[TRANSFER_SIZES - OWN_SIZES] = {
    512,       TRANSFER_PIECE, 16 << 10,  32 << 10,     64 << 10,
    128 << 10, 256 << 10,      512 << 10, TRANSFER_MOST};

/* Sizes */

static int ask_limits(struct transfers *transfers, struct error *error)
{
    union nfs_arguments arguments = {.fsinfo.fsroot =
                                         nfs_handle_argument(&transfers->lab->setup.mount.root)};
    union nfs_result result;
    const FSINFO3resok *said = &result.fsinfo.FSINFO3res_u.resok;
    int code = lab_call_well(transfers->lab, "fsinfo", &arguments, &result, error);

    if (code)
        return code;
    transfers->limits[TRANSFER_READ] = said->rtmax;
    transfers->limits[TRANSFER_WRITE] = said->wtmax;
    transfers->preferred[TRANSFER_READ] = said->rtpref;
    transfers->preferred[TRANSFER_WRITE] = said->wtpref;
    nfs_free_result("fsinfo", &result);
    return 0;
}

/* Put SIZE among the others, in ascending order, unless it is among them or above MOST. */
static void add_size(struct transfers *transfers, enum transfer_kind kind, uint32_t size,
                     uint32_t most)
{
    uint32_t *sizes = transfers->sizes[kind];
    size_t place = transfers->counts[kind];

    while (place > 0 && sizes[place - 1] > size)
        place--;
    if (size == 0 || size > most || (place > 0 && sizes[place - 1] == size))
        return;
    memmove(&sizes[place + 1], &sizes[place], (transfers->counts[kind] - place) * sizeof *sizes);
    sizes[place] = size;
    transfers->counts[kind]++;
}

static int choose_sizes(struct transfers *transfers, enum transfer_kind kind, struct error *error)
{
    const bool datagrams = transfers->link.endpoint.transport == TRANSPORT_UDP;
    const uint32_t transport_most = datagrams ? DATAGRAM_MOST : TRANSFER_MOST;
    const uint32_t limit = transfers->limits[kind];
    const uint32_t most = limit < transport_most ? limit : transport_most;

    for (size_t i = 0; i < sizeof usual_sizes / sizeof usual_sizes[0]; i++)
        add_size(transfers, kind, usual_sizes[i], most);
    add_size(transfers, kind, transfers->preferred[kind], most);
    add_size(transfers, kind, most, most);
    if (transfers->counts[kind] < SIZES_LEAST)
        return error_set(error, ERROR_FAILED, -ENOTSUP, "the server takes too few sizes of %s",
                         transfer_names[kind]);
    return 0;
}

/* Messages */

static int make_message(struct transfers *transfers, enum transfer_kind kind, uint64_t offset,
                        uint32_t bytes, struct channel_message *message, struct error *error)
{
    const nfs_fh3 file = nfs_handle_argument(&transfers->file);
    union nfs_arguments arguments;

    memset(&arguments, 0, sizeof arguments);
    if (kind == TRANSFER_READ)
        arguments.read = (READ3args){.file = file, .offset = offset, .count = bytes};
    else
        arguments.write = (WRITE3args){.file = file,
                                       .offset = offset,
                                       .count = bytes,
                                       .data = {bytes, (char *)transfers->data}};
    return link_message(message, transfers->lab, ops[kind], &arguments, error);
}

static int make_messages(struct transfers *transfers, enum transfer_kind kind, struct error *error)
{
    int code = choose_sizes(transfers, kind, error);

    for (size_t i = 0; i < transfers->counts[kind] && code == 0; i++)
        code = make_message(transfers, kind, 0, transfers->sizes[kind][i],
                            &transfers->messages[kind][i], error);
    return code ? code
                : make_message(transfers, kind, TRANSFER_ODD, TRANSFER_PIECE, &transfers->odd[kind],
                               error);
}

int transfers_open(struct transfers *transfers, struct lab *lab, struct error *error)
{
    const struct endpoint endpoint = setup_endpoint(&lab->setup, SERVICE_NFS);
    int code;

    *transfers = (struct transfers){.lab = lab,
                                    .link.fd = -1,
                                    .data = calloc(2, TRANSFER_MOST),
                                    .xid = (uint32_t)lab->plan->run.seed};
    if (!transfers->data)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for data");
    code = link_open(&transfers->link, lab, &endpoint, error);
    if (code == 0)
        code = ask_limits(transfers, error);
    if (code == 0)
        code = lab_make_file(lab, NULL, &transfers->file, error);
    if (code == 0)
        code = lab_write(lab, &transfers->file, 0, (uint64_t)2 * TRANSFER_MOST, error);
    for (enum transfer_kind kind = 0; kind < TRANSFER_KINDS && code == 0; kind++)
        code = make_messages(transfers, kind, error);
    return code;
}

void transfers_close(struct transfers *transfers)
{
    link_close(&transfers->link);
    for (enum transfer_kind kind = 0; kind < TRANSFER_KINDS; kind++) {
        for (size_t i = 0; i < transfers->counts[kind]; i++)
            free(transfers->messages[kind][i].bytes);
        free(transfers->odd[kind].bytes);
    }
    free(transfers->data);
}

/* Calls */

int transfers_call(struct transfers *transfers, enum transfer_kind kind,
                   const struct channel_message *message, uint64_t *ticks, struct error *error)
{
    const uint64_t started = transfers->lab->clock.start();
    struct link_reply reply;
    int code = link_call(&transfers->link, message, ++transfers->xid, &reply, error);

    if (code == 0 && link_status(&reply) != NFS3_OK)
        return lab_refuse(ops[kind], (nfsstat3)link_status(&reply), error);
    *ticks = reply.ticks - started;
    return code;
}

/* Print to TEXT what REPLY says became of the call: how many bytes, or which error. */
static void describe(enum transfer_kind kind, const struct link_reply *reply, char text[64])
{
    struct wire_reader reader = wire_reader(reply->bytes, reply->length);
    struct rpc_reply_header header;
    union nfs_result result;
    char name[NFS_STATUS_NAME_SIZE];

    if (link_status(reply) != NFS3_OK) {
        snprintf(text, 64, "is answered by %s", nfs_status_name(link_status(reply), name));
    } else if (rpc_reply_decode(&reader, &header) != 0 ||
               rpc_result_decode(&nfs_procedure_find(ops[kind])->rpc, &reader, &result) != 0) {
        snprintf(text, 64, "has a reply that can't be decoded");
    } else if (kind == TRANSFER_READ) {
        snprintf(text, 64, "brings %u", result.read.READ3res_u.resok.count);
        nfs_free_result("read", &result);
    } else {
        snprintf(text, 64, "writes %u", result.write.WRITE3res_u.resok.count);
        nfs_free_result("write", &result);
    }
}

int transfers_try_beyond(struct transfers *transfers, enum transfer_kind kind,
                         struct character_answer *answer, struct error *error)
{
    const uint32_t limit = transfers->limits[kind];
    struct channel_message message = {.bytes = NULL};
    struct link_reply reply;
    char name[64], text[64];
    int code;

    if (limit > TRANSFER_MOST || transfers->link.endpoint.transport == TRANSPORT_UDP)
        return 0;
    code = make_message(transfers, kind, 0, 2 * limit, &message, error);
    if (code)
        return code;
    snprintf(name, sizeof name, "%s beyond %ctmax", transfer_names[kind], ops[kind][0]);
    code = link_call(&transfers->link, &message, ++transfers->xid, &reply, error);
    free(message.bytes);
    if (code == 0)
        describe(kind, &reply, text);
    if (code == 0 || error->kind == ERROR_UNREACHABLE)
        answer_detail(answer, name, "of %u bytes: %s", 2 * limit, code ? error->text : text);
    return code && error->kind != ERROR_UNREACHABLE ? code : 0;
}
