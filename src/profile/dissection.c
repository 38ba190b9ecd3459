#include "profile/dissection.h"

#include <stdlib.h>
#include <string.h>

#include "nfs3.h"
#include "profile/lone_reply.h"
#include "rpc/credential.h"
#include "rpc/message.h"

/* The columns of a line. Names are in the last column, because they may contain separators. */
#define FIELDS(FIELD)                                                                              \
    FIELD(TIME, "frame.time_epoch")                                                                \
    FIELD(LENGTH, "frame.len")                                                                     \
    FIELD(CAPTURED, "frame.cap_len")                                                               \
    FIELD(SOURCE, "ip.src")                                                                        \
    FIELD(DESTINATION, "ip.dst")                                                                   \
    FIELD(SOURCE_6, "ipv6.src")                                                                    \
    FIELD(DESTINATION_6, "ipv6.dst")                                                               \
    FIELD(MORE_FRAGMENTS, "ip.flags.mf")                                                           \
    FIELD(FRAGMENT_OFFSET, "ip.frag_offset")                                                       \
    FIELD(FRAGMENTS, "ip.fragment.count")                                                          \
    FIELD(MORE_FRAGMENTS_6, "ipv6.fraghdr.more")                                                   \
    FIELD(FRAGMENT_OFFSET_6, "ipv6.fraghdr.offset")                                                \
    FIELD(FRAGMENTS_6, "ipv6.fragment.count")                                                      \
    FIELD(TCP_FROM, "tcp.srcport")                                                                 \
    FIELD(TCP_TO, "tcp.dstport")                                                                   \
    FIELD(TCP_SEQUENCE, "tcp.seq_raw")                                                             \
    FIELD(TCP_LENGTH, "tcp.len")                                                                   \
    FIELD(TCP_FLAGS, "tcp.flags")                                                                  \
    FIELD(TCP_RETRANSMITTED, "tcp.analysis.retransmission")                                        \
    FIELD(TCP_REORDERED, "tcp.analysis.out_of_order")                                              \
    FIELD(UDP_FROM, "udp.srcport")                                                                 \
    FIELD(UDP_TO, "udp.dstport")                                                                   \
    FIELD(UDP_LENGTH, "udp.length")                                                                \
    FIELD(UDP_PAYLOAD, "udp.payload")                                                              \
    FIELD(PROTOCOLS, "frame.protocols")                                                            \
    FIELD(MALFORMED, "_ws.malformed")                                                              \
    FIELD(FRAGMENT_LENGTH, "rpc.fraglen")                                                          \
    FIELD(IS_LAST_FRAGMENT, "rpc.lastfrag")                                                        \
    FIELD(XID, "rpc.xid")                                                                          \
    FIELD(TYPE, "rpc.msgtyp")                                                                      \
    FIELD(PROGRAM, "rpc.program")                                                                  \
    FIELD(VERSION, "rpc.programversion")                                                           \
    FIELD(PROCEDURE, "rpc.procedure")                                                              \
    FIELD(FLAVOR, "rpc.auth.flavor")                                                               \
    FIELD(SERVICE, "rpc.authgss.service")                                                          \
    FIELD(REPLY_STATE, "rpc.replystat")                                                            \
    FIELD(ACCEPT_STATE, "rpc.state_accept")                                                        \
    FIELD(REJECT_STATE, "rpc.state_reject")                                                        \
    FIELD(NFS_PROCEDURE, "nfs.procedure_v3")                                                       \
    FIELD(STATUS, "nfs.status")                                                                    \
    FIELD(HANDLE, "nfs.fh.hash")                                                                   \
    FIELD(OFFSET, "nfs.offset3")                                                                   \
    FIELD(COUNT, "nfs.count3")                                                                     \
    FIELD(COOKIE, "nfs.cookie3")                                                                   \
    FIELD(STABLE, "nfs.write.stable")                                                              \
    FIELD(CREATE_MODE, "nfs.createmode")                                                           \
    FIELD(VALUE_FOLLOWS, "rpc.value_follows")                                                      \
    FIELD(HANDLE_FOLLOWS, "nfs.handle_follow")                                                     \
    FIELD(IS_LAST_ENTRY, "nfs.readdir.eof")                                                        \
    FIELD(NAME, "nfs.name")

#define COLUMN(column, field)  column,
#define NAME_OF(column, field) field,

enum { FIELDS(COLUMN) COLUMNS };

static const char *const fields[COLUMNS + 1] = {FIELDS(NAME_OF)};

/* The values of one column that were not read yet, in the order of the frame's messages. */
struct values {
    char *rest;
    size_t count;
};

#define NFS_PORT "2049"

/* maximum number of messages in a frame; 64 KiB have room for fewer */
enum { MESSAGES_MAXIMUM = 4096 };

struct dissection {
    /* secret key of the hashes, so that addresses can't be found by hashing all addresses */
    struct hash_key key;
    struct values columns[COLUMNS];
    struct message messages[MESSAGES_MAXIMUM];
};

struct dissection *dissection_open(void)
{
    struct dissection *dissection = calloc(1, sizeof *dissection);

    if (dissection)
        dissection->key = hash_new_key();
    return dissection;
}

void dissection_close(struct dissection *dissection)
{
    free(dissection);
}

const char *const *dissection_fields(void)
{
    return fields;
}

/* Values */

static struct values values_of(char *text)
{
    struct values values = {text, *text != '\0'};

    for (const char *c = text; *c; c++)
        values.count += *c == *DISSECTION_AGGREGATOR;
    return values;
}

static const char *take_value(struct values *values)
{
    if (values->count == 0)
        return NULL;
    values->count--;
    return strsep(&values->rest, DISSECTION_AGGREGATOR);
}

/* Read the next value as a number. Returns false if there is none, or it is not only a number. */
static bool take_number(struct values *values, uint64_t *number)
{
    const char *text = take_value(values);
    char *end = NULL;

    *number = text ? strtoull(text, &end, 0) : 0;
    return text && end != text && !*end;
}

static uint64_t number_or_0(struct values *values)
{
    uint64_t number;

    return take_number(values, &number) ? number : 0;
}

/* Read the next value as a flag. New versions of tshark print words instead of numbers. */
static bool take_flag(struct values *values)
{
    const char *text = take_value(values);

    return text && (text[0] == '1' || text[0] == 'T');
}

/* Take all values, and return the last one; NULL if there is none. In a tunnel, where a packet
 * contains another packet, the last value is from the innermost header. */
static const char *take_last(struct values *values)
{
    const char *text = NULL;

    while (values->count > 0)
        text = take_value(values);
    return text;
}

static uint64_t hash_text(const struct dissection *dissection, const char *text, uint64_t seed)
{
    char both[80] = "";

    memcpy(both, &seed, sizeof seed);
    strncpy(both + sizeof seed, text, sizeof both - sizeof seed - 1);
    return hash_bytes(&dissection->key, both, sizeof both) | 1;
}

/* The frame's headers */

static bool read_time(const char *text, uint64_t *ns)
{
    char *end;
    uint64_t seconds = strtoull(text, &end, 10), unit = 100000000;

    *ns = seconds * 1000000000;
    if (end == text || seconds > UINT64_MAX / 1000000000 - 1)
        return false;
    for (end += *end == '.'; *end >= '0' && *end <= '9'; end++, unit /= 10)
        *ns += (uint64_t)(*end - '0') * unit;
    return *end == '\0';
}

static void read_fragment(struct values *columns, struct frame *frame)
{
    uint64_t offset =
        number_or_0(&columns[FRAGMENT_OFFSET]) + number_or_0(&columns[FRAGMENT_OFFSET_6]);
    bool more = take_flag(&columns[MORE_FRAGMENTS]);

    more |= take_flag(&columns[MORE_FRAGMENTS_6]);
    frame->is_first_fragment = more && offset == 0;
    frame->is_last_fragment = !more && offset > 0;
    frame->is_reassembled = columns[FRAGMENTS].count + columns[FRAGMENTS_6].count > 0;
    if (more || offset > 0)
        frame->kind = FRAME_FRAGMENT;
}

static void read_ends(struct dissection *dissection, struct frame *frame)
{
    struct values *columns = dissection->columns;
    bool is_tcp = columns[TCP_FROM].count > 0, is_6 = columns[SOURCE].count == 0;
    const char *from = take_last(&columns[is_6 ? SOURCE_6 : SOURCE]);
    const char *to = take_last(&columns[is_6 ? DESTINATION_6 : DESTINATION]);
    const char *from_port = take_last(&columns[is_tcp ? TCP_FROM : UDP_FROM]);
    const char *to_port = take_last(&columns[is_tcp ? TCP_TO : UDP_TO]);

    if (!from || !to || !from_port || !to_port)
        return;
    frame->kind = is_tcp ? FRAME_TCP : FRAME_UDP;
    frame->is_nfs_port = strcmp(from_port, NFS_PORT) == 0 || strcmp(to_port, NFS_PORT) == 0;
    frame->from.host = hash_text(dissection, from, 0);
    frame->to.host = hash_text(dissection, to, 0);
    frame->from.port = hash_text(dissection, from_port, frame->from.host);
    frame->to.port = hash_text(dissection, to_port, frame->to.host);
}

static void read_data(struct values *columns, struct frame *frame)
{
    enum { HEADER = 8 /* bytes of a UDP header */ };
    uint64_t datagram = number_or_0(&columns[UDP_LENGTH]);

    if (frame->kind == FRAME_TCP)
        frame->data = (uint32_t)number_or_0(&columns[TCP_LENGTH]);
    else
        frame->data = datagram > HEADER ? (uint32_t)datagram - HEADER : 0;
}

static void read_tcp(struct values *columns, struct frame *frame)
{
    frame->sequence = (uint32_t)number_or_0(&columns[TCP_SEQUENCE]);
    frame->flags = (unsigned)number_or_0(&columns[TCP_FLAGS]);
    frame->is_retransmitted = columns[TCP_RETRANSMITTED].count > 0;
    frame->is_reordered = columns[TCP_REORDERED].count > 0;
}

/* The messages' headers */

/* Set FRAME's UNFINISHED, and the lengths of its messages: the bytes of a TCP record's fragments,
 * or of a datagram. */
static void read_lengths(struct values *columns, struct frame *frame)
{
    uint64_t length = 0, fragment;
    size_t at = 0;

    if (frame->kind == FRAME_UDP && frame->count == 1)
        frame->messages[0].length = frame->data;
    while (frame->kind == FRAME_TCP && take_number(&columns[FRAGMENT_LENGTH], &fragment)) {
        length += fragment;
        if (!take_flag(&columns[IS_LAST_FRAGMENT]))
            continue;
        if (at < frame->count)
            frame->messages[at++].length = length;
        length = 0;
    }
    frame->unfinished = length;
}

/* Read the RPC header of CALL. TWICE: tshark has printed each call's version twice. */
static void read_call(struct values *columns, bool twice, struct message *call)
{
    enum { GSS_PRIVACY = 3 };
    uint64_t program, version, procedure;

    call->decoded = take_number(&columns[PROGRAM], &program) &&
                    take_number(&columns[VERSION], &version) &&
                    take_number(&columns[PROCEDURE], &procedure);
    if (!call->decoded)
        return;
    if (twice)
        take_value(&columns[VERSION]);
    call->program = (uint32_t)program;
    call->version = (uint32_t)version;
    call->procedure = (uint32_t)procedure;
    if (number_or_0(&columns[FLAVOR]) == RPC_FLAVOR_GSS)
        call->encrypted = number_or_0(&columns[SERVICE]) == GSS_PRIVACY;
    take_value(&columns[FLAVOR]); /* skips the verifier's flavor */
}

static void read_reply(struct values *columns, struct message *reply)
{
    uint64_t denied, state;

    reply->status = CALL_STATUS_CUT;
    reply->decoded = take_number(&columns[REPLY_STATE], &denied) &&
                     take_number(&columns[denied ? REJECT_STATE : ACCEPT_STATE], &state);
    if (!reply->decoded)
        return;
    if (denied)
        reply->status = state ? -RPC_OUTCOME_AUTH_ERROR : -RPC_OUTCOME_RPC_MISMATCH;
    else if (state)
        reply->status = state <= 5 ? -(int)state : -RPC_OUTCOME_SYSTEM_ERR;
}

static void read_lone_reply(struct values *columns, struct frame *frame)
{
    const char *payload = take_last(&columns[UDP_PAYLOAD]);

    if (frame->kind == FRAME_UDP && frame->count == 0 && payload)
        frame->is_lone_reply = lone_reply_read(payload, &frame->messages[0]);
    frame->count += frame->is_lone_reply;
}

static void read_messages(struct dissection *dissection, struct frame *frame)
{
    struct values *columns = dissection->columns;
    bool twice = columns[VERSION].count >= 2 * columns[PROGRAM].count;
    uint64_t xid, type;

    while (frame->count < MESSAGES_MAXIMUM && take_number(&columns[XID], &xid) &&
           take_number(&columns[TYPE], &type)) {
        struct message *message = &frame->messages[frame->count++];

        *message = (struct message){.xid = (uint32_t)xid, .is_call = type == 0};
        if (message->is_call)
            read_call(columns, twice, message);
        else
            read_reply(columns, message);
    }
    read_lone_reply(columns, frame);
    read_lengths(columns, frame);
}

/* Set whether FRAME's data are understood. If a TCP record continues in a later segment, tshark
 * prints no protocol above TCP, so such a segment counts as understood, too. */
static void read_protocols(struct values *columns, struct frame *frame)
{
    const char *protocols = take_last(&columns[PROTOCOLS]);
    const char *last = protocols ? strrchr(protocols, ':') : NULL;

    frame->is_understood =
        frame->count > 0 || (frame->kind == FRAME_TCP && last && strcmp(last, ":tcp") == 0);
}

/* Arguments and results */

const struct nfs_procedure *dissection_op(uint64_t number)
{
    const struct nfs_procedure *procedure;

    for (size_t i = 0; (procedure = nfs_procedure_at(i)); i++)
        if (procedure->rpc.program == NFS_PROGRAM && procedure->rpc.number == number)
            return procedure;
    return NULL;
}

/* Return the op of a call of PROCEDURE. The ops of WRITE differ in the stability; the ops of
 * CREATE, in the treatment of an existing file. If that value is missing: the first op. */
static const struct nfs_procedure *op_of(struct values *columns, uint64_t procedure)
{
    static const char *const writes[] = {"write", "write-data-sync", "write-file-sync"},
                             *const creates[] = {"create", "create-guarded", "create-exclusive"};
    bool is_write = procedure == NFSPROC3_WRITE;
    uint64_t how;

    if ((is_write || procedure == NFSPROC3_CREATE) &&
        take_number(&columns[is_write ? STABLE : CREATE_MODE], &how) && how <= 2)
        return nfs_procedure_find((is_write ? writes : creates)[how]);
    return dissection_op(procedure);
}

static uint64_t take_handle(struct values *handles)
{
    uint64_t crc;

    return take_number(handles, &crc) ? crc << 1 | 1 : 0;
}

/* The arguments of each procedure in order. H: handle; N: name; O: offset; C: count; K: cookie. The
 * value of a small letter is skipped. */
static const char *const arguments[] = {"",    "H",  "H",  "HN", "H",  "H",  "HOC",  "HOC",
                                        "HN",  "Hn", "Hn", "Hn", "Hn", "Hn", "Hnhn", "Hhn",
                                        "HKc", "HK", "H",  "H",  "H",  "Hoc"};

static void read_argument(struct values *columns, char argument, struct message *call)
{
    uint64_t number;
    const char *name;

    switch (argument) {
    case 'H':
        call->object = take_handle(&columns[HANDLE]);
        break;
    case 'N':
        name = take_value(&columns[NAME]);
        strncpy(call->name, name ? name : "", sizeof call->name - 1);
        break;
    case 'O':
        call->has_range = take_number(&columns[OFFSET], &call->offset);
        break;
    case 'C':
        call->has_range &= take_number(&columns[COUNT], &number) && number <= UINT32_MAX;
        call->count = (uint32_t)number;
        break;
    case 'K':
        call->cookie = number_or_0(&columns[COOKIE]);
        break;
    default:
        take_value(&columns[argument == 'h'   ? HANDLE
                            : argument == 'n' ? NAME
                            : argument == 'o' ? OFFSET
                                              : COUNT]);
    }
}

static void read_arguments(struct values *columns, uint64_t procedure, struct message *call)
{
    call->op = op_of(columns, procedure);
    if (procedure < sizeof arguments / sizeof arguments[0])
        for (const char *argument = arguments[procedure]; *argument; argument++)
            read_argument(columns, *argument, call);
}

/* Set ENTRIES, IS_LISTING and TO_END of REPLY, a reply of READDIR or READDIRPLUS. A flag before
 * each entry says whether the entry exists. Only entries of READDIRPLUS may have handles. */
static void read_listing(struct values *columns, uint64_t procedure, struct message *reply)
{
    bool follows = true;

    while (columns[VALUE_FOLLOWS].count > 0 && (follows = take_flag(&columns[VALUE_FOLLOWS]))) {
        reply->entries++;
        if (procedure == NFSPROC3_READDIRPLUS && take_flag(&columns[HANDLE_FOLLOWS]))
            take_value(&columns[HANDLE]);
    }
    reply->is_listing = !follows && columns[IS_LAST_ENTRY].count > 0;
    reply->to_end = take_flag(&columns[IS_LAST_ENTRY]);
}

static void read_results(struct values *columns, uint64_t procedure, struct message *reply)
{
    uint64_t status;

    if (procedure == NFSPROC3_NULL)
        reply->status = 0;
    else if (take_number(&columns[STATUS], &status))
        reply->status = (int)(status < CALL_STATUS_ENCRYPTED ? status : CALL_STATUS_ENCRYPTED - 1);
    if (reply->status != 0)
        return;
    if (procedure == NFSPROC3_LOOKUP ||
        (procedure >= NFSPROC3_CREATE && procedure <= NFSPROC3_MKNOD &&
         take_flag(&columns[HANDLE_FOLLOWS])))
        reply->handle = take_handle(&columns[HANDLE]);
    else if (procedure == NFSPROC3_READDIR || procedure == NFSPROC3_READDIRPLUS)
        read_listing(columns, procedure, reply);
}

/* Return whether each value can be assigned to its message of FRAME: all messages are of NFSv3, in
 * one direction, and not malformed. The values then have the order of the messages, because only
 * the last message can be cut. PROGRAMS: number of values of the column PROGRAM. */
static bool is_in_step(const struct values *columns, const struct frame *frame, size_t programs)
{
    for (size_t i = 1; i < frame->count; i++)
        if (frame->messages[i].is_call != frame->messages[0].is_call)
            return false;
    return columns[NFS_PROCEDURE].count == frame->count && programs == frame->count &&
           columns[MALFORMED].count == 0;
}

static bool has_results(const struct message *reply)
{
    return reply->decoded && reply->status == CALL_STATUS_CUT;
}

static void read_nfs(struct values *columns, struct frame *frame, size_t programs)
{
    bool in_step = frame->count > 0 && is_in_step(columns, frame, programs);
    uint64_t procedure;

    for (size_t i = 0; in_step && i < frame->count; i++) {
        struct message *message = &frame->messages[i];

        take_number(&columns[NFS_PROCEDURE], &procedure);
        if (message->is_call && !message->encrypted && message->procedure == procedure)
            read_arguments(columns, procedure, message);
        else if (!message->is_call && has_results(message))
            read_results(columns, procedure, message);
    }
    /* A value that is left over shows that values were assigned to wrong messages: a name may
     * contain the aggregator, for example. The frame's handles or names are then not used. */
    for (size_t i = 0; i < frame->count; i++) {
        if (columns[HANDLE].count > 0)
            frame->messages[i].handle = frame->messages[i].object = 0;
        if (columns[NAME].count > 0)
            frame->messages[i].name[0] = '\0';
        frame->messages[i].is_cut = frame->is_cut && !frame->messages[i].op;
    }
}

bool dissection_read(struct dissection *dissection, char *line, struct frame *frame)
{
    struct values *columns = dissection->columns;
    uint64_t length, captured;
    size_t programs;

    *frame = (struct frame){.messages = dissection->messages};
    line[strcspn(line, "\n")] = '\0';
    for (size_t i = 0; i < COLUMNS; i++) {
        char *column = i + 1 < COLUMNS ? strsep(&line, "\t") : line;

        if (!column)
            return false;
        columns[i] = values_of(column);
    }
    if (!read_time(columns[TIME].rest, &frame->time) || !take_number(&columns[LENGTH], &length) ||
        !take_number(&columns[CAPTURED], &captured))
        return false;
    frame->is_cut = captured < length;
    programs = columns[PROGRAM].count;
    read_fragment(columns, frame);
    read_ends(dissection, frame);
    read_data(columns, frame);
    read_tcp(columns, frame);
    read_messages(dissection, frame);
    read_protocols(columns, frame);
    read_nfs(columns, frame, programs);
    return true;
}
