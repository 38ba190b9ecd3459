#include "target/resolve.h"

#include <errno.h>
#include <string.h>

int target_resolve(const struct target *target, struct addrinfo **addresses, struct error *error)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    int code = getaddrinfo(target->host, NULL, &hints, addresses);

    if (code)
        return error_set(error, ERROR_UNREACHABLE, -EHOSTUNREACH,
                         "looking up the host '%.200s': %s; is the name right?", target->host,
                         gai_strerror(code));
    return 0;
}

struct endpoint target_endpoint(const struct target *target, const struct addrinfo *address)
{
    struct endpoint endpoint = {.transport = target->transport};

    memcpy(&endpoint.address, address->ai_addr, address->ai_addrlen);
    return endpoint;
}
