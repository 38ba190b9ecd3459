/* What gss_client.h declares, in a program that was built without GSS-API: no context can be
 * established, so the functions that need one are never called. */
#include <errno.h>

#include "engine/channel.h"

int gss_client_open(struct gss_client **client, const struct gss_request *request,
                    const struct gss_transport *transport, struct error *error)
{
    char name[24];

    return error_set(error, ERROR_USAGE, -ENOTSUP,
                     "this program was built without Kerberos, which %s needs; install libkrb5-dev "
                     "and build it again",
                     rpc_flavor_name(request->flavor, name));
}

int gss_client_renew(struct gss_client *client, struct error *error)
{
    return gss_client_explain(client, -ENOTSUP, error);
}

const struct gss_establishment *gss_client_establishment(const struct gss_client *client)
{
    return NULL;
}

int gss_client_encode_end(struct gss_client *client, struct channel_message *message)
{
    return -ENOTSUP;
}

void gss_client_close(struct gss_client *client)
{
}

int gss_client_seal(struct gss_client *client, const struct channel_message *message, bool first,
                    struct channel_message *sealed)
{
    return -ENOTSUP;
}

int gss_client_open_reply(struct gss_client *client, struct channel_reply *reply)
{
    return -ENOTSUP;
}

bool gss_client_has_part(const struct gss_client *client, enum gss_part part)
{
    return false;
}

int gss_client_do_part(struct gss_client *client, enum gss_part part,
                       const struct channel_message *message, const struct gss_reply *reply)
{
    return -ENOTSUP;
}

bool gss_client_has_number(const struct gss_client *client)
{
    return false;
}

void gss_client_release(struct gss_client *client, struct gss_sealed *call)
{
}

int gss_client_seal_call(struct gss_client *client, const struct channel_message *message,
                         struct gss_sealed *call, struct channel_message *sealed,
                         struct error *error)
{
    return -ENOTSUP;
}

int gss_client_open_call(struct gss_client *client, struct gss_sealed *call, uint8_t *reply,
                         size_t *length, uint64_t *renewals, struct error *error)
{
    return -ENOTSUP;
}

uint32_t gss_client_window(const struct gss_client *client)
{
    return 0;
}

int gss_client_explain(const struct gss_client *client, int code, struct error *error)
{
    return error_set(error, ERROR_USAGE, code, "this program was built without Kerberos");
}
