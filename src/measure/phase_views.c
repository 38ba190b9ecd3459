/* What the phases of a call are, and in which order they come: the views. */
#include "measure/phases.h"

/* The client's phases, from its own timestamps. */

static const struct phase_type encode = {.key = "encode",
                                         .name = "client encodes",
                                         .meaning = "The RPC header and the arguments are encoded.",
                                         .kind = PHASE_CLIENT,
                                         .ends = TIMESTAMP_ENCODED,
                                         .required = true};
static const struct phase_type wrap = {
    .key = "wrap",
    .name = "client wraps",
    .meaning = "Kerberos: the MIC of the header is computed, and with krb5i and krb5p the "
               "arguments are wrapped.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_WRAPPED};
static const struct phase_type encrypt = {
    .key = "encrypt",
    .name = "client encrypts",
    .meaning = "TLS encrypts the call, whose records of 16 KiB are sent one by one: the sum.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_ENCRYPTED};
static const struct phase_type send = {
    .key = "send",
    .name = "client sends",
    .meaning = "From send() through TCP or UDP and IP, until the last packet is ready.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_SCHEDULED,
    .required = true};
static const struct phase_type queue = {
    .key = "queue",
    .name = "packet queues",
    .meaning = "In the queueing discipline, until the device takes the packet.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_TRANSMITTED,
    .required = true};
static const struct phase_type network_and_server = {
    .key = "network-and-server",
    .name = "network and server",
    .meaning = "Everything outside the client: the network in both directions, and the server.",
    .kind = PHASE_NETWORK_AND_SERVER,
    .ends = TIMESTAMP_REPLY_RECEIVED,
    .required = true};
static const struct phase_type receive = {
    .key = "receive",
    .name = "client receives",
    .meaning = "From the reply's arrival in the kernel until recv() returns with it: delivery, "
               "wake-up, the wait for a processor, the copy.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_REPLY_READ,
    .required = true};
static const struct phase_type decrypt = {
    .key = "decrypt",
    .name = "client decrypts",
    .meaning = "TLS decrypts the reply: the sum over all that recv() brought of it, as if the "
               "rest had come first.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_DECRYPTED};
static const struct phase_type unwrap = {
    .key = "unwrap",
    .name = "client unwraps",
    .meaning = "Kerberos: the reply's verifier is checked, and with krb5i and krb5p its results "
               "are unwrapped.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_UNWRAPPED};
static const struct phase_type decode = {.key = "decode",
                                         .name = "client decodes",
                                         .meaning = "The reply is decoded and checked.",
                                         .kind = PHASE_CLIENT,
                                         .ends = TIMESTAMP_DECODED,
                                         .required = true};

/* Phases from the kernel's tracepoints. */

static const struct phase_type request_travels = {
    .key = "request-travels",
    .name = "request travels",
    .meaning =
        "From the client's device into the server's socket: the wire, the soft interrupt, IP "
        "and TCP or UDP.",
    .kind = PHASE_NETWORK,
    .ends = TIMESTAMP_REQUEST_ARRIVED,
    .required = true};
static const struct phase_type server_wake = {
    .key = "server-wake",
    .name = "server is woken",
    .meaning = "A server thread that slept is notified of the data and made ready to run.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_SERVER_WOKEN};
static const struct phase_type server_run = {
    .key = "server-run",
    .name = "server gets processor",
    .meaning = "The server's thread waits for a processor, which wakes up or is preempted, and "
               "switches to it.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_SERVER_RUNS};
static const struct phase_type server_reader = {
    .key = "server-reader",
    .name = "server wakes reader",
    .meaning = "The notified thread wakes another one to read the data, and that one gets a "
               "processor.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_READER_RUNS};
static const struct phase_type server_read = {
    .key = "server-read",
    .name = "server reads",
    .meaning = "Until the system call that receives the request returns.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_REQUEST_READ,
    .required = true};
static const struct phase_type server_worker = {
    .key = "server-worker",
    .name = "server hands over",
    .meaning =
        "The thread that read the request wakes another one to process it, which gets a processor.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_WORKER_RUNS};
static const struct phase_type server_work = {
    .key = "server-work",
    .name = "server works",
    .meaning = "The request is decoded, the procedure executed, the reply encoded.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_REPLY_ENTERED,
    .required = true};
static const struct phase_type server_send = {
    .key = "server-send",
    .name = "server sends",
    .meaning = "From its send() through TCP or UDP and IP, until the device takes the last packet.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_REPLY_SENT};
static const struct phase_type reply_travels = {
    .key = "reply-travels",
    .name = "reply travels",
    .meaning = "From the server's device until the client's kernel has the reply's last packet.",
    .kind = PHASE_NETWORK,
    .ends = TIMESTAMP_REPLY_RECEIVED,
    .required = true};
static const struct phase_type reply_delivered = {
    .key = "reply-delivered",
    .name = "reply is delivered",
    .meaning = "Through IP and TCP or UDP into the client's socket.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_REPLY_ARRIVED};
static const struct phase_type client_wake = {
    .key = "client-wake",
    .name = "client is woken",
    .meaning = "The client's thread, which slept, is made ready to run.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_CLIENT_WOKEN};
static const struct phase_type client_run = {
    .key = "client-run",
    .name = "client gets processor",
    .meaning = "The processor wakes up or is preempted, and switches to the client.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_CLIENT_RUNS};
static const struct phase_type client_read = {.key = "client-read",
                                              .name = "client reads",
                                              .meaning = "Until recv() returns with the reply.",
                                              .kind = PHASE_CLIENT,
                                              .ends = TIMESTAMP_REPLY_READ,
                                              .required = true};

/* The same, where it is known how long the woken thread waited for a processor. */
static const struct phase_type reader_wake = {
    .key = "server-reader",
    .name = "server wakes reader",
    .meaning = "The notified thread wakes another one to read the data.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_READER_WOKEN};
static const struct phase_type reader_run = {.key = "reader-run",
                                             .name = "reader gets processor",
                                             .meaning = "That thread waits for a processor.",
                                             .kind = PHASE_QUEUEING,
                                             .ends = TIMESTAMP_READER_RUNS};
static const struct phase_type worker_wake = {
    .key = "server-worker",
    .name = "server hands over",
    .meaning = "The thread that read the request wakes another one to process it.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_WORKER_WOKEN};
static const struct phase_type worker_run = {.key = "worker-run",
                                             .name = "worker gets processor",
                                             .meaning = "That thread waits for a processor.",
                                             .kind = PHASE_QUEUEING,
                                             .ends = TIMESTAMP_WORKER_RUNS};

/* If the server's timestamps come from another machine's clock, it is unknown how the network time
 * divides between the two directions. */
static const struct phase_type network = {
    .key = "network",
    .name = "network, both ways",
    .meaning =
        "The time from the request's departure to the reply's arrival, less the server's own "
        "time.",
    .kind = PHASE_NETWORK,
    .ends = TIMESTAMP_REQUEST_ARRIVED,
    .required = true};
static const struct phase_type network_back = {.key = "network",
                                               .name = "network, both ways",
                                               .meaning = "The reply's half of that time.",
                                               .kind = PHASE_NETWORK,
                                               .ends = TIMESTAMP_REPLY_RECEIVED,
                                               .required = true,
                                               .joined = true};

static const struct phase_type *const client_phases[] = {
    &encode,  &wrap,    &encrypt, &send,   &queue, &network_and_server,
    &receive, &decrypt, &unwrap,  &decode,
};

static const struct phase_type *const both_phases[] = {
    &encode,      &wrap,        &encrypt,     &send,          &queue,           &request_travels,
    &server_wake, &server_run,  &reader_wake, &reader_run,    &server_read,     &worker_wake,
    &worker_run,  &server_work, &server_send, &reply_travels, &reply_delivered, &client_wake,
    &client_run,  &client_read, &decrypt,     &unwrap,        &decode,
};

static const struct phase_type *const joined_phases[] = {
    &encode,      &wrap,         &encrypt,       &send,        &queue,         &network,
    &server_wake, &server_run,   &server_reader, &server_read, &server_worker, &server_work,
    &server_send, &network_back, &receive,       &decrypt,     &unwrap,        &decode,
};

/* Phases that exist only under load, where a call waits for others; and those that begin or end
 * differently there. */

static const struct phase_type backlog = {
    .key = "backlog",
    .name = "waits for a slot",
    .meaning = "Open loop: the call is due, but as many calls as allowed are in flight.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_SLOT_TAKEN};
static const struct phase_type send_wait = {
    .key = "send-wait",
    .name = "waits for send()",
    .meaning = "The call is written into a buffer, and waits until those that go out with it are, "
               "too, or until the socket takes more.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_SEND_ENTERED,
    .required = true};
static const struct phase_type load_encrypt = {
    .key = "encrypt",
    .name = "client encrypts",
    .meaning = "TLS encrypts the records that the call is in, with the others in them: the sum.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_ENCRYPTED};
static const struct phase_type load_send = {
    .key = "send",
    .name = "client sends",
    .meaning = "From send() through TCP and IP, until the last packet is ready or send() returns.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_SEND_TAKEN,
    .required = true};
static const struct phase_type send_buffer = {
    .key = "send-buffer",
    .name = "in send buffer",
    .meaning = "In the socket's send buffer, until TCP sends the last packet: the window is full.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_SCHEDULED};
static const struct phase_type load_queue = {
    .key = "queue",
    .name = "packet queues",
    .meaning = "In the queueing discipline, until the device takes the packet.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_TRANSMITTED};
static const struct phase_type server_socket = {
    .key = "server-socket",
    .name = "in server's socket",
    .meaning = "The request waits until the server, which is busy with other calls, reads it.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_READ_ENTERED};
static const struct phase_type server_queue = {
    .key = "server-queue",
    .name = "in server's queue",
    .meaning = "The request is read, and waits until the thread that processes it is free of other "
               "calls, or runs.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_WORKER_RUNS};
static const struct phase_type load_work = {
    .key = "server-work",
    .name = "server works",
    .meaning = "The request is decoded, the procedure executed, the reply encoded.",
    .kind = PHASE_SERVER,
    .ends = TIMESTAMP_REPLY_READY,
    .required = true};
static const struct phase_type reply_wait = {
    .key = "reply-wait",
    .name = "reply waits for send",
    .meaning = "The reply is ready, and waits for those that go out with it.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_REPLY_ENTERED};
static const struct phase_type load_travels = {
    .key = "reply-travels",
    .name = "reply travels",
    .meaning = "From the server's device into the client's socket.",
    .kind = PHASE_NETWORK,
    .ends = TIMESTAMP_REPLY_ARRIVED,
    .required = true};
static const struct phase_type client_socket = {
    .key = "client-socket",
    .name = "in client's socket",
    .meaning = "The reply waits until the client, which is busy with other calls, reads it.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_RECEIVE_ENTERED};
static const struct phase_type load_decrypt = {
    .key = "decrypt",
    .name = "client decrypts",
    .meaning = "TLS decrypts what recv() brought of the reply, and others with it: the sum, as if "
               "the rest had come first.",
    .kind = PHASE_CLIENT,
    .ends = TIMESTAMP_DECRYPTED};
static const struct phase_type decode_wait = {
    .key = "decode-wait",
    .name = "waits to be decoded",
    .meaning = "The reply is read, and waits until those that were received with it are decoded, "
               "and by Kerberos unwrapped.",
    .kind = PHASE_QUEUEING,
    .ends = TIMESTAMP_DECODE_BEGUN};

static const struct phase_type *const load_client_phases[] = {
    &backlog,      &wrap,       &send_wait,          &load_encrypt,  &load_send,
    &send_buffer,  &load_queue, &network_and_server, &client_socket, &receive,
    &load_decrypt, &unwrap,     &decode_wait,        &decode,
};

static const struct phase_type *const load_both_phases[] = {
    &backlog,     &wrap,          &send_wait,       &load_encrypt, &load_send,
    &send_buffer, &load_queue,    &request_travels, &server_wake,  &server_run,
    &reader_wake, &reader_run,    &server_socket,   &server_read,  &server_queue,
    &load_work,   &reply_wait,    &server_send,     &load_travels, &client_wake,
    &client_run,  &client_socket, &client_read,     &load_decrypt, &unwrap,
    &decode_wait, &decode,
};

static const struct phase_type *const load_joined_phases[] = {
    &backlog,       &wrap,         &send_wait,    &load_encrypt, &load_send,     &send_buffer,
    &load_queue,    &network,      &server_wake,  &server_run,   &server_reader, &server_socket,
    &server_read,   &server_queue, &load_work,    &reply_wait,   &server_send,   &network_back,
    &client_socket, &receive,      &load_decrypt, &unwrap,       &decode_wait,   &decode,
};

const struct phase_type phase_life = {.key = "life",
                                      .name = "lifetime of a call",
                                      .meaning = "All phases together.",
                                      .ends = TIMESTAMP_DECODED};

#define VIEW(text, list)                                                                           \
    {                                                                                              \
        .name = text, .phases = list, .count = sizeof(list) / sizeof((list)[0])                    \
    }

const struct phase_view phase_view_client = VIEW("client", client_phases);
const struct phase_view phase_view_both = VIEW("both", both_phases);
const struct phase_view phase_view_joined = VIEW("joined", joined_phases);
const struct phase_view phase_view_load_client = VIEW("load-client", load_client_phases);
const struct phase_view phase_view_load_joined = VIEW("load-joined", load_joined_phases);
const struct phase_view phase_view_load_both = VIEW("load-both", load_both_phases);

const struct phase_view *const phase_views[] = {&phase_view_client,
                                                &phase_view_both,
                                                &phase_view_joined,
                                                &phase_view_load_client,
                                                &phase_view_load_both,
                                                &phase_view_load_joined,
                                                NULL};
