#include "run/setup/contexts_run.h"

#include <stdio.h>

static void note_establishment(struct contexts_run *contexts,
                               const struct gss_establishment *establishment)
{
    contexts->creation[contexts->made] = (double)establishment->whole_ns;
    contexts->init[contexts->made++] = (double)establishment->init_ns;
    if (establishment->continues)
        contexts->continued[contexts->continues++] = (double)establishment->continue_ns;
}

static void note_tls(struct contexts_run *contexts, const struct tls_handshake *handshake)
{
    contexts->probe[contexts->probes++] = (double)handshake->probe_ns;
    if (handshake->resumed)
        contexts->resumed_handshake[contexts->resumed++] = (double)handshake->tls_ns;
    else
        contexts->full_handshake[contexts->full++] = (double)handshake->tls_ns;
    snprintf(contexts->tls, sizeof contexts->tls, "%s", handshake->description);
}

static int make_one(struct contexts_run *contexts, const struct endpoint *endpoint,
                    const struct channel_options *options, struct error *error)
{
    struct channel *channel;
    uint64_t destroyed_ns;
    int code = channel_open(&channel, endpoint, options, error);

    if (code)
        return code;
    if (options->tls)
        note_tls(contexts, channel_handshake(channel));
    if (options->security.flavor)
        note_establishment(contexts, channel_establishment(channel));
    destroyed_ns = channel_end_context(channel);
    if (destroyed_ns)
        contexts->destroy[contexts->destroyed++] = (double)destroyed_ns;
    channel_close(channel);
    return 0;
}

/* Time one context, if calls need one. With TLS, also time a full handshake on its connection and a
 * resumed handshake on a second connection, which gets no context. */
static int make_pair(struct contexts_run *contexts, const struct endpoint *endpoint,
                     const struct channel_options *options, struct error *error)
{
    struct channel_options again = *options;
    int code;

    if (!options->tls)
        return make_one(contexts, endpoint, options, error);
    options->tls->type->resume(options->tls, false);
    code = make_one(contexts, endpoint, options, error);
    options->tls->type->resume(options->tls, true);
    again.security.flavor = 0;
    return code ? code : make_one(contexts, endpoint, &again, error);
}

/* Make a call, because a server sends the tickets to resume a session with its first reply. */
static int fetch_tickets(const struct setup *setup, struct error *error)
{
    char nothing[1];

    return rpc_client_call(setup->clients[SERVICE_NFS], &nfs_procedure_find("null")->rpc, NULL,
                           nothing, error);
}

int contexts_run_make(struct contexts_run *contexts, const struct setup *setup, struct error *error)
{
    struct channel_options options =
        setup_secure(setup, SERVICE_NFS, &setup->mount.options.channel);
    struct endpoint endpoint = setup_endpoint(setup, SERVICE_NFS);
    int code = 0;

    *contexts = (struct contexts_run){.made = 0};
    if (!options.security.flavor && !options.tls)
        return 0;
    if (options.tls)
        code = fetch_tickets(setup, error);
    for (unsigned i = 0; i < CONTEXTS_RUN_CONTEXTS && code == 0; i++)
        code = make_pair(contexts, &endpoint, &options, error);
    return code;
}

struct tls_counts contexts_run_tls_counts(const struct contexts_run *contexts,
                                          const struct setup *setup)
{
    struct tls_counts counts = {.begun = 0};

    if (setup->tls) {
        counts = setup->tls->type->counts(setup->tls);
        counts.begun -= contexts->probes;
        counts.resumed -= contexts->resumed;
    }
    return counts;
}
