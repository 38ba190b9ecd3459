/* All phases of a call, in the order of time, and the views that they belong to. */
#include "measure/phases.h"

const struct phase_type phase_types[PHASE_TYPES] = {
    {"backlog", "waits for a slot",
     "Open loop: the call is due, but as many calls as allowed are in flight.", PHASE_QUEUEING,
     TIMESTAMP_SLOT_TAKEN, PHASE_LOAD},
    {"encode", "client encodes", "The RPC header and the arguments are encoded.", PHASE_CLIENT,
     TIMESTAMP_ENCODED, PHASE_SINGLE | PHASE_REQUIRED},
    {"wrap", "client wraps",
     "Kerberos: the MIC of the header is computed, and with krb5i and krb5p the arguments are "
     "wrapped.",
     PHASE_CLIENT, TIMESTAMP_WRAPPED, 0},
    {"send-wait", "waits for send()",
     "The call is written into a buffer, and waits until those that go out with it are, too, or "
     "until the socket takes more.",
     PHASE_QUEUEING, TIMESTAMP_SEND_ENTERED, PHASE_LOAD | PHASE_REQUIRED},
    {"encrypt", "client encrypts",
     "TLS encrypts the call, whose records of 16 KiB are sent one by one: the sum.", PHASE_CLIENT,
     TIMESTAMP_ENCRYPTED, PHASE_SINGLE},
    {"encrypt", "client encrypts",
     "TLS encrypts the records that the call is in, with the others in them: the sum.",
     PHASE_CLIENT, TIMESTAMP_ENCRYPTED, PHASE_LOAD},
    {"send", "client sends",
     "From send() through TCP and IP, until the last packet is ready or send() returns.",
     PHASE_CLIENT, TIMESTAMP_SEND_TAKEN, PHASE_LOAD | PHASE_REQUIRED},
    {"send", "client sends",
     "From send() through TCP or UDP and IP, until the last packet is ready.", PHASE_CLIENT,
     TIMESTAMP_SCHEDULED, PHASE_SINGLE | PHASE_REQUIRED},
    {"send-buffer", "in send buffer",
     "In the socket's send buffer, until TCP sends the last packet: the window is full.",
     PHASE_QUEUEING, TIMESTAMP_SCHEDULED, PHASE_LOAD},
    {"queue", "packet queues", "In the queueing discipline, until the device takes the packet.",
     PHASE_QUEUEING, TIMESTAMP_TRANSMITTED, PHASE_SINGLE | PHASE_REQUIRED},
    {"queue", "packet queues", "In the queueing discipline, until the device takes the packet.",
     PHASE_QUEUEING, TIMESTAMP_TRANSMITTED, PHASE_LOAD},
    {"request-travels", "request travels",
     "From the client's device into the server's socket: the wire, the soft interrupt, IP and TCP "
     "or UDP.",
     PHASE_NETWORK, TIMESTAMP_REQUEST_ARRIVED, PHASE_LOCAL | PHASE_REQUIRED},
    {"network", "network, both ways",
     "The time from the request's departure to the reply's arrival, less the server's own time.",
     PHASE_NETWORK, TIMESTAMP_REQUEST_ARRIVED, PHASE_REMOTE | PHASE_REQUIRED},
    {"server-wake", "server is woken",
     "A server thread that slept is notified of the data and made ready to run.", PHASE_SERVER,
     TIMESTAMP_SERVER_WOKEN, PHASE_LOCAL | PHASE_REMOTE},
    {"server-run", "server gets processor",
     "The server's thread waits for a processor, which wakes up or is preempted, and switches to "
     "it.",
     PHASE_QUEUEING, TIMESTAMP_SERVER_RUNS, PHASE_LOCAL | PHASE_REMOTE | PHASE_PROCESSOR},
    {"server-reader", "server wakes reader",
     "The notified thread wakes another one to read the data.", PHASE_SERVER,
     TIMESTAMP_READER_WOKEN, PHASE_LOCAL},
    {"server-reader", "server wakes reader",
     "The notified thread wakes another one to read the data, and that one gets a processor.",
     PHASE_SERVER, TIMESTAMP_READER_RUNS, PHASE_REMOTE},
    {"reader-run", "reader gets processor", "That thread waits for a processor.", PHASE_QUEUEING,
     TIMESTAMP_READER_RUNS, PHASE_LOCAL | PHASE_PROCESSOR},
    {"server-socket", "in server's socket",
     "The request waits until the server, which is busy with other calls, reads it.",
     PHASE_QUEUEING, TIMESTAMP_READ_ENTERED, PHASE_LOAD | PHASE_LOCAL | PHASE_REMOTE},
    {"server-read", "server reads", "Until the system call that receives the request returns.",
     PHASE_SERVER, TIMESTAMP_REQUEST_READ, PHASE_LOCAL | PHASE_REMOTE | PHASE_REQUIRED},
    {"server-worker", "server hands over",
     "The thread that read the request wakes another one to process it.", PHASE_SERVER,
     TIMESTAMP_WORKER_WOKEN, PHASE_SINGLE | PHASE_LOCAL},
    {"server-worker", "server hands over",
     "The thread that read the request wakes another one to process it, which gets a processor.",
     PHASE_SERVER, TIMESTAMP_WORKER_RUNS, PHASE_SINGLE | PHASE_REMOTE},
    {"worker-run", "worker gets processor", "That thread waits for a processor.", PHASE_QUEUEING,
     TIMESTAMP_WORKER_RUNS, PHASE_SINGLE | PHASE_LOCAL | PHASE_PROCESSOR},
    {"server-queue", "in server's queue",
     "The request is read, and waits until the thread that processes it is free of other calls, or "
     "runs.",
     PHASE_QUEUEING, TIMESTAMP_WORKER_RUNS, PHASE_LOAD | PHASE_LOCAL | PHASE_REMOTE},
    {"server-work", "server works",
     "The request is decoded, the procedure executed, the reply encoded.", PHASE_SERVER,
     TIMESTAMP_REPLY_READY, PHASE_LOAD | PHASE_LOCAL | PHASE_REMOTE | PHASE_REQUIRED},
    {"server-work", "server works",
     "The request is decoded, the procedure executed, the reply encoded.", PHASE_SERVER,
     TIMESTAMP_REPLY_ENTERED, PHASE_SINGLE | PHASE_LOCAL | PHASE_REMOTE | PHASE_REQUIRED},
    {"reply-wait", "reply waits for send",
     "The reply is ready, and waits for those that go out with it.", PHASE_QUEUEING,
     TIMESTAMP_REPLY_ENTERED, PHASE_LOAD | PHASE_LOCAL | PHASE_REMOTE},
    {"server-send", "server sends",
     "From its send() through TCP or UDP and IP, until the device takes the last packet.",
     PHASE_SERVER, TIMESTAMP_REPLY_SENT, PHASE_LOCAL | PHASE_REMOTE},
    {"network-and-server", "network and server",
     "Everything outside the client: the network in both directions, and the server.",
     PHASE_NETWORK_AND_SERVER, TIMESTAMP_REPLY_RECEIVED, PHASE_ALONE | PHASE_REQUIRED},
    {"reply-travels", "reply travels",
     "From the server's device until the client's kernel has the reply's last packet.",
     PHASE_NETWORK, TIMESTAMP_REPLY_RECEIVED, PHASE_SINGLE | PHASE_LOCAL | PHASE_REQUIRED},
    {"network", "network, both ways", "The reply's half of that time.", PHASE_NETWORK,
     TIMESTAMP_REPLY_RECEIVED, PHASE_REMOTE | PHASE_REQUIRED | PHASE_JOINED},
    {"reply-delivered", "reply is delivered", "Through IP and TCP or UDP into the client's socket.",
     PHASE_CLIENT, TIMESTAMP_REPLY_ARRIVED, PHASE_SINGLE | PHASE_LOCAL},
    {"reply-travels", "reply travels", "From the server's device into the client's socket.",
     PHASE_NETWORK, TIMESTAMP_REPLY_ARRIVED, PHASE_LOAD | PHASE_LOCAL | PHASE_REQUIRED},
    {"client-wake", "client is woken", "The client's thread, which slept, is made ready to run.",
     PHASE_CLIENT, TIMESTAMP_CLIENT_WOKEN, PHASE_LOCAL},
    {"client-run", "client gets processor",
     "The processor wakes up or is preempted, and switches to the client.", PHASE_QUEUEING,
     TIMESTAMP_CLIENT_RUNS, PHASE_LOCAL | PHASE_PROCESSOR},
    {"client-socket", "in client's socket",
     "The reply waits until the client, which is busy with other calls, reads it.", PHASE_QUEUEING,
     TIMESTAMP_RECEIVE_ENTERED, PHASE_LOAD},
    {"receive", "client receives",
     "From the reply's arrival in the kernel until recv() returns with it: delivery, wake-up, the "
     "wait for a processor, the copy.",
     PHASE_CLIENT, TIMESTAMP_REPLY_READ, PHASE_ALONE | PHASE_REMOTE | PHASE_REQUIRED},
    {"client-read", "client reads", "Until recv() returns with the reply.", PHASE_CLIENT,
     TIMESTAMP_REPLY_READ, PHASE_LOCAL | PHASE_REQUIRED},
    {"decrypt", "client decrypts",
     "TLS decrypts the reply: the sum over all that recv() brought of it, as if the rest had come "
     "first.",
     PHASE_CLIENT, TIMESTAMP_DECRYPTED, PHASE_SINGLE},
    {"decrypt", "client decrypts",
     "TLS decrypts what recv() brought of the reply, and others with it: the sum, as if the rest "
     "had come first.",
     PHASE_CLIENT, TIMESTAMP_DECRYPTED, PHASE_LOAD},
    {"unwrap", "client unwraps",
     "Kerberos: the reply's verifier is checked, and with krb5i and krb5p its results are "
     "unwrapped.",
     PHASE_CLIENT, TIMESTAMP_UNWRAPPED, 0},
    {"decode-wait", "waits to be decoded",
     "The reply is read, and waits until those that were received with it are decoded, and by "
     "Kerberos unwrapped.",
     PHASE_QUEUEING, TIMESTAMP_DECODE_BEGUN, PHASE_LOAD},
    {"decode", "client decodes", "The reply is decoded and checked.", PHASE_CLIENT,
     TIMESTAMP_DECODED, PHASE_REQUIRED},
};

const struct phase_type phase_life = {.key = "life",
                                      .name = "lifetime of a call",
                                      .meaning = "All phases together.",
                                      .ends = TIMESTAMP_DECODED};

const struct phase_view phase_view_client = {"client", PHASE_SINGLE | PHASE_ALONE};
const struct phase_view phase_view_both = {"both", PHASE_SINGLE | PHASE_LOCAL};
const struct phase_view phase_view_joined = {"joined", PHASE_SINGLE | PHASE_REMOTE};
const struct phase_view phase_view_load_client = {"load-client", PHASE_LOAD | PHASE_ALONE};
const struct phase_view phase_view_load_both = {"load-both", PHASE_LOAD | PHASE_LOCAL};
const struct phase_view phase_view_load_joined = {"load-joined", PHASE_LOAD | PHASE_REMOTE};

bool phase_is_in(const struct phase_view *view, size_t phase)
{
    const unsigned flags = phase_types[phase].flags, both = flags & view->flags;
    const unsigned pace = PHASE_SINGLE | PHASE_LOAD;
    const unsigned source = PHASE_ALONE | PHASE_LOCAL | PHASE_REMOTE;

    return (!(flags & pace) || both & pace) && (!(flags & source) || both & source);
}
