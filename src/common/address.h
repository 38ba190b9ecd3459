/* Internet addresses of both families, in the one structure that holds either. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum { ADDRESS_TEXT_SIZE = 64 };

/* The address length for socket calls. */
socklen_t address_length(const struct sockaddr_storage *address);

uint16_t address_port(const struct sockaddr_storage *address);

/* The port that socket FD is bound to; 0: unknown. */
uint16_t address_own_port(int fd);

/* The port in a universal address (RFC 5665 section 5.2.3.3 and 5.2.3.4): an IPv4 or IPv6 address,
 * and the two bytes of the port in decimal, "127.0.0.1.8.1" for 2049. 0: none, or TEXT is anything
 * else. */
uint16_t address_universal_port(const char *text);

void address_set_port(struct sockaddr_storage *address, uint16_t port);

/* "127.0.0.1", "::1"; "?" for another family. Returns TEXT. */
const char *address_text(const struct sockaddr_storage *address, char text[ADDRESS_TEXT_SIZE]);

/* Are both addresses of one host, whatever their ports? Not if their families differ. */
bool address_is_same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b);

/* Is it a loopback address: 127.0.0.0/8 or ::1? */
bool address_is_loopback(const struct sockaddr_storage *address);

/* Is it an address of this machine, so that a socket can be bound to it? The port is ignored. */
bool address_is_local(const struct sockaddr_storage *address);
