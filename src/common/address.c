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

/* Parse a number up to 255 at *AT, without sign, spaces or leading zeros, and the character END
 * that follows. Returns the number and sets *AT to the text after END; otherwise -1, and
 * *AT is undefined. */
static int decimal_byte(const char **at, char end)
{
    const char *digits = *at;
    size_t length = strspn(digits, "0123456789");
    int value = 0;

    if (length == 0 || length > 3 || (digits[0] == '0' && length > 1) || digits[length] != end)
        return -1;
    for (size_t i = 0; i < length; i++)
        value = 10 * value + digits[i] - '0';
    *at = digits + length + 1;
    return value <= UINT8_MAX ? value : -1;
}

/* Return whether the LENGTH bytes at TEXT are an IPv4 or IPv6 address. */
static bool is_address(const char *text, size_t length)
{
    char copy[INET6_ADDRSTRLEN];
    struct in6_addr address;

    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return inet_pton(AF_INET, copy, &address) == 1 || inet_pton(AF_INET6, copy, &address) == 1;
}

uint16_t address_universal_port(const char *text)
{
    const char *low = strrchr(text, '.');
    const char *high = low ? memrchr(text, '.', (size_t)(low - text)) : NULL;
    const char *at = high ? high + 1 : NULL;
    int first, second;

    if (!high || !is_address(text, (size_t)(high - text)))
        return 0;
    first = decimal_byte(&at, '.');
    second = first < 0 ? -1 : decimal_byte(&at, '\0');
    if (second < 0)
        return 0;
    return (uint16_t)(first << 8 | second);
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
