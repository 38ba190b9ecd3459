/* The server's permanent sockets, which listen for connections or receive datagrams. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "common/error.h"

/* Kinds of descriptors that a server thread watches by epoll. */
enum watched_kind {
    WATCHED_LISTENER,
    WATCHED_DATAGRAMS,
    WATCHED_STREAM,
    WATCHED_TIMER, /* expires when delayed replies are due */
    WATCHED_END,   /* readable when the thread must end */
};

struct watched {
    enum watched_kind kind;
    int fd;
    bool without_costs; /* calls that arrive by FD are not charged the policy's costs */
};

enum { SOCKETS_ADDRESSES_MAXIMUM = 16 };

struct sockets {
    struct watched list[2 * SOCKETS_ADDRESSES_MAXIMUM];
    size_t count;
    uint16_t port; /* port of all sockets */
};

/* Where the server listens. */
struct sockets_plan {
    uint16_t port; /* port to bind; 0: any port that is free on all addresses, for TCP and UDP */
    /* addresses to bind, whose ports are ignored */
    struct sockaddr_storage addresses[SOCKETS_ADDRESSES_MAXIMUM];
    size_t address_count;    /* number of addresses; 0: 127.0.0.1, and ::1 if the system has it */
    uint32_t receive_window; /* receive window of connections, bytes; 0: the kernel's choice */
    bool without_costs[SOCKETS_ADDRESSES_MAXIMUM]; /* for each address: calls to it have no costs */
};

/* Open the sockets of PLAN, bind them and listen. Returns 0, or a negative errno with ERROR set. */
int sockets_open(struct sockets *sockets, const struct sockets_plan *plan, struct error *error);
void sockets_close(struct sockets *sockets);
