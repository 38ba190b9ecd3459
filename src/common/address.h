/* IPv4 and IPv6 addresses, in a struct sockaddr_storage. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum { ADDRESS_TEXT_SIZE = 64 };

/* Return the size of ADDRESS, bytes, as bind() and connect() need it. */
socklen_t address_length(const struct sockaddr_storage *address);

uint16_t address_port(const struct sockaddr_storage *address);

/* Return the port that socket FD is bound to; 0 if unknown. */
uint16_t address_own_port(int fd);

/* Return the port in a universal address (RFC 5665 sections 5.2.3.3 and 5.2.3.4): an IPv4 or IPv6
 * address and the two bytes of the port in decimal, "127.0.0.1.8.1" for port 2049. Returns 0 if
 * TEXT is not such an address. */
uint16_t address_universal_port(const char *text);

void address_set_port(struct sockaddr_storage *address, uint16_t port);

/* Write ADDRESS, without port and scope, to TEXT; "?" for another family. Returns TEXT. */
const char *address_text(const struct sockaddr_storage *address, char text[ADDRESS_TEXT_SIZE]);

/* Return whether A and B have the same family, address and, for IPv6, scope. Ports are ignored. */
bool address_is_same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b);

/* Return whether ADDRESS is a loopback address: 127.0.0.0/8 or ::1. */
bool address_is_loopback(const struct sockaddr_storage *address);

/* Return whether a socket of this machine can be bound to ADDRESS. The port is ignored. */
bool address_is_local(const struct sockaddr_storage *address);
