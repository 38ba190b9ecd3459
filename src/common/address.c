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
