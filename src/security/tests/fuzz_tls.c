/* TLS between a client and a server. A script changes, removes, repeats and adds bytes on the way,
 * and delivers them in pieces. Each side must receive a prefix of the bytes that the other side
 * sent. After an error, a session's handshake and receiving must fail. */
#include <errno.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <unistd.h>

#include "script.h"
#include "security/tls.h"

enum { SIDES = 2, CLIENT = 0, SERVER = 1, QUEUE = 1 << 18, STEPS = 300, MESSAGE = 40000 };

/* One direction: the bytes from FROM to TO were sent and not yet received. */
struct queue {
    uint8_t bytes[QUEUE];
    size_t from, to;
};

struct side {
    struct rpc_tls *tls;
    struct queue *in, *out;
    bool is_open, has_failed;
    size_t sent, received; /* numbers of message bytes; a byte's value: its position modulo 251 */
    size_t owed;           /* least number of bytes to offer to the next rpc_tls_send() */
};

static struct rpc_tls_context *contexts[SIDES];
static struct queue queues[SIDES];
static uint8_t pattern[MESSAGE + 256];
static size_t pieces; /* maximum that a recv() returns, in bytes */

static void write_pem(FILE *certificate_file, FILE *key_file)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    X509_NAME *name = X509_get_subject_name(certificate);
    X509_EXTENSION *host = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, "DNS:server");

    FUZZ_CHECK(key && certificate);
    X509_set_version(certificate, 2);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 24 * 3600);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const uint8_t *)"server", -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    X509_set_pubkey(certificate, key);
    X509_add_ext(certificate, host, -1);
    X509_EXTENSION_free(host);
    FUZZ_CHECK(X509_sign(certificate, key, EVP_sha256()));
    PEM_write_X509(certificate_file, certificate);
    PEM_write_PrivateKey(key_file, key, NULL, NULL, 0, NULL, NULL);
    X509_free(certificate);
    EVP_PKEY_free(key);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    char certificate[] = "/tmp/fuzz-tls-XXXXXX", key[] = "/tmp/fuzz-tls-XXXXXX";
    FILE *files[] = {fdopen(mkstemp(certificate), "w"), fdopen(mkstemp(key), "w")};
    struct rpc_tls_files server = {.certificate = certificate, .key = key};
    struct rpc_tls_files client = {.authorities = certificate};
    struct error error;

    write_pem(files[0], files[1]);
    fclose(files[0]);
    fclose(files[1]);
    FUZZ_CHECK(rpc_tls_context_open_server(&contexts[SERVER], &server, false, &error) == 0);
    FUZZ_CHECK(rpc_tls_context_open_client(&contexts[CLIENT], &client, &error) == 0);
    unlink(certificate);
    unlink(key);
    for (size_t i = 0; i < sizeof pattern; i++)
        pattern[i] = (uint8_t)(i % 251);
    return 0;
}

static ssize_t send_queued(void *context, int fd, const void *bytes, size_t length, int flags)
{
    struct side *side = context;
    struct queue *queue = side->out;

    if (length > QUEUE - queue->to) {
        errno = EAGAIN;
        return -1;
    }
    memcpy(queue->bytes + queue->to, bytes, length);
    queue->to += length;
    return (ssize_t)length;
}

static ssize_t receive_queued(void *context, int fd, void *bytes, size_t room, int flags)
{
    struct side *side = context;
    struct queue *queue = side->in;
    size_t length = queue->to - queue->from;

    if (length == 0) {
        errno = EAGAIN;
        return -1;
    }
    length = length < pieces ? length : pieces;
    length = length < room ? length : room;
    memcpy(bytes, queue->bytes + queue->from, length);
    queue->from += length;
    if (queue->from == queue->to)
        queue->from = queue->to = 0;
    return (ssize_t)length;
}

/* Check the result of a function on SIDE's session; if FAILED, errno has the error. All errors but
 * EAGAIN and EINTR are final. */
static void check_result(struct side *side, bool failed)
{
    FUZZ_CHECK(!side->has_failed || failed);
    if (failed && errno != EAGAIN && errno != EINTR)
        side->has_failed = true;
}

static void shake(struct side *side)
{
    int code = rpc_tls_handshake(side->tls);

    errno = -code;
    check_result(side, code != 0);
    side->is_open = code == 0;
}

static void send_some(struct side *side, size_t length)
{
    const struct iovec part = {pattern + side->sent % 251,
                               length > side->owed ? length : side->owed};
    ssize_t sent = rpc_tls_send(side->tls, &part, 1, 0);

    if (sent < 0 && errno != EAGAIN)
        side->has_failed = true;
    sent = sent > 0 ? sent : 0;
    side->owed = part.iov_len - (size_t)sent;
    side->sent += (size_t)sent;
}

static void receive_some(struct side *side, const struct side *other)
{
    static uint8_t bytes[RPC_TLS_ROOM];
    ssize_t got = rpc_tls_receive(side->tls, bytes, sizeof bytes, 0);

    check_result(side, got <= 0);
    for (ssize_t i = 0; i < got; i++)
        FUZZ_CHECK(bytes[i] == (side->received + (size_t)i) % 251);
    side->received += got > 0 ? (size_t)got : 0;
    FUZZ_CHECK(side->received <= other->sent);
}

/* Change the bytes in QUEUE, like a faulty network. */
static void disturb(struct queue *queue, struct script *script)
{
    size_t length = queue->to - queue->from, count = script_byte(script);
    uint8_t *at = queue->bytes + queue->from + (length ? script_u16(script) % length : 0);
    size_t left = (size_t)(queue->bytes + queue->to - at);

    switch (script_byte(script) % 4) {
    case 0: /* change a byte */
        if (left > 0)
            *at ^= (uint8_t)count;
        break;
    case 1: /* lose bytes */
        count = count < left ? count : left;
        memmove(at, at + count, left - count);
        queue->to -= count;
        break;
    case 2: /* repeat bytes */
        count = count < left ? count : left;
        if (count <= QUEUE - queue->to) {
            memmove(at + count, at, left);
            queue->to += count;
        }
        break;
    default: /* add garbage */
        if (count <= QUEUE - queue->to) {
            const uint8_t *garbage = script_bytes(script, &count);

            memcpy(queue->bytes + queue->to, garbage, count);
            queue->to += count;
        }
    }
}

static void open_side(struct side *side, int number, const char *host)
{
    const struct rpc_tls_calls calls = {
        .send = send_queued, .receive = receive_queued, .context = side};

    *side = (struct side){.in = &queues[number], .out = &queues[1 - number]};
    FUZZ_CHECK(rpc_tls_open(&side->tls, contexts[number], -1, host) == 0);
    rpc_tls_observe(side->tls, &calls);
}

static void step(struct side sides[SIDES], struct script *script)
{
    const uint8_t choice = script_byte(script);
    struct side *side = &sides[choice & 1], *other = &sides[~choice & 1];

    pieces = choice & 2 ? 1 + script_byte(script) : QUEUE;
    if (choice >> 2 >= 48)
        disturb(side->in, script);
    else if (!side->is_open)
        shake(side);
    else if (choice & 4)
        send_some(side, script_u16(script) % MESSAGE + 1);
    else
        receive_some(side, other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct script script = script_of(data, size);
    struct side sides[SIDES];

    queues[0].from = queues[0].to = queues[1].from = queues[1].to = 0;
    open_side(&sides[CLIENT], CLIENT, script_byte(&script) ? "other" : "server");
    open_side(&sides[SERVER], SERVER, NULL);
    for (int i = 0; i < STEPS && !script_ended(&script); i++)
        step(sides, &script);
    rpc_tls_close(sides[CLIENT].tls);
    rpc_tls_close(sides[SERVER].tls);
    return 0;
}
