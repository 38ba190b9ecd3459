#include "cli/explain_echo.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/address.h"

static bool is_port(const char *text)
{
    char *end;
    unsigned long port = strtoul(text, &end, 10);

    return *text >= '0' && *text <= '9' && *end == '\0' && port > 0 && port <= UINT16_MAX;
}

int explain_echo_parse(struct explain_echo *echo, const char *text, struct error *error)
{
    const char *colon = text ? strrchr(text, ':') : NULL;
    const char *host = text;
    size_t length = colon ? (size_t)(colon - text) : 0;

    memset(echo, 0, sizeof *echo);
    if (!text)
        return 0;
    if (length >= 2 && text[0] == '[' && text[length - 1] == ']') {
        host++;
        length -= 2;
    } else if (strcspn(text, ":[]") < length) {
        length = 0; /* an IPv6 address without its brackets: where does it end? */
    }
    if (!colon || length == 0 || length >= sizeof echo->host ||
        strlen(colon + 1) >= sizeof echo->port || !is_port(colon + 1))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "--echo '%.100s': expected HOST:PORT, such as server:20491 or [::1]:20491",
                         text);
    memcpy(echo->host, host, length);
    strcpy(echo->port, colon + 1);
    return 0;
}

/* Of several addresses, one of the family that the server's has. */
static int resolve(struct explain_echo *echo, struct error *error)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found, *chosen;
    int code = getaddrinfo(echo->host, echo->port, &hints, &found);

    if (code)
        return error_set(error, ERROR_UNREACHABLE, -EHOSTUNREACH,
                         "looking up the echo's host '%.200s': %s; is the name right?", echo->host,
                         gai_strerror(code));
    for (chosen = found; chosen; chosen = chosen->ai_next)
        if (chosen->ai_family == echo->endpoint.address.ss_family)
            break;
    chosen = chosen ? chosen : found;
    memcpy(&echo->endpoint.address, chosen->ai_addr, chosen->ai_addrlen);
    freeaddrinfo(found);
    return 0;
}

/* At the server's own address, so that the way to both is the same. */
static int start(struct explain_echo *echo, const struct session *session, struct error *error)
{
    struct sockaddr_storage *address = &echo->endpoint.address;
    bool is_ipv6 = address->ss_family == AF_INET6;
    char text[TARGET_HOST_SIZE]; /* with its interface, where the address is link-local */
    uint16_t port;
    int code = getnameinfo((struct sockaddr *)address, address_length(address), text, sizeof text,
                           NULL, 0, NI_NUMERICHOST);

    if (code)
        return error_set(error, ERROR_FAILED, -EINVAL, "the server's address as text: %s",
                         gai_strerror(code));
    if (!address_is_local(address))
        return error_set(error, ERROR_USAGE, -EINVAL,
                         "the echo must be on the server's machine: start 'nfsbench serve --echo "
                         "--bind %s' there, and give --echo %s%s%s:PORT",
                         text, is_ipv6 ? "[" : "", text, is_ipv6 ? "]" : "");
    /* A server that is not our own runs where the scheduler puts it; so does the echo beside it. */
    code = self_start_echo(&echo->process, text, session->self.pid ? session->self.pinned_cpu : -1,
                           NULL, &port, error);
    if (code == 0)
        address_set_port(address, port);
    return code;
}

int explain_echo_open(struct explain_echo *echo, const struct session *session,
                      const struct endpoint *server, struct error *error)
{
    echo->endpoint = *server;
    echo->endpoint.reserved_port = false;
    return echo->host[0] ? resolve(echo, error) : start(echo, session, error);
}

void explain_echo_close(struct explain_echo *echo)
{
    self_stop(&echo->process);
}
