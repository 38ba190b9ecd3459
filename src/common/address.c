#include "common/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

socklen_t address_length(const struct sockaddr_storage *address)
{
    return address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                          : sizeof(struct sockaddr_in);
}

uint16_t address_port(const struct sockaddr_storage *address)
{
    return ntohs(address->ss_family == AF_INET6 ? ((const struct sockaddr_in6 *)address)->sin6_port
                                                : ((const struct sockaddr_in *)address)->sin_port);
}

uint16_t address_own_port(int fd)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;

    return getsockname(fd, (struct sockaddr *)&address, &length) == 0 ? address_port(&address) : 0;
}

void address_set_port(struct sockaddr_storage *address, uint16_t port)
{
    if (address->ss_family == AF_INET6)
        ((struct sockaddr_in6 *)address)->sin6_port = htons(port);
    else
        ((struct sockaddr_in *)address)->sin_port = htons(port);
}

const char *address_text(const struct sockaddr_storage *address, char text[ADDRESS_TEXT_SIZE])
{
    const void *bytes = address->ss_family == AF_INET6
                            ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
                            : &((const struct sockaddr_in *)address)->sin_addr;

    if (!inet_ntop(address->ss_family, bytes, text, ADDRESS_TEXT_SIZE))
        strcpy(text, "?");
    return text;
}

bool address_is_same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    const struct sockaddr_in6 *a6 = (const struct sockaddr_in6 *)a;
    const struct sockaddr_in6 *b6 = (const struct sockaddr_in6 *)b;

    if (a->ss_family != b->ss_family)
        return false;
    if (a->ss_family == AF_INET6)
        return a6->sin6_scope_id == b6->sin6_scope_id &&
               memcmp(&a6->sin6_addr, &b6->sin6_addr, sizeof a6->sin6_addr) == 0;
    return ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
           ((const struct sockaddr_in *)b)->sin_addr.s_addr;
}

bool address_is_loopback(const struct sockaddr_storage *address)
{
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;

    if (address->ss_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
    return ntohl(v4->sin_addr.s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET;
}

bool address_is_local(const struct sockaddr_storage *address)
{
    struct sockaddr_storage any_port = *address;
    int fd = socket(address->ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool local;

    address_set_port(&any_port, 0);
    local = fd >= 0 && bind(fd, (struct sockaddr *)&any_port, address_length(&any_port)) == 0;
    if (fd >= 0)
        close(fd);
    return local;
}
