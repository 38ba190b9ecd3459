/* A text for Prometheus, by HTTP on a port of loopback. It is served between the rounds of a run,
 * by the thread that makes the calls: nothing runs beside calls that are measured, and what a
 * scraper sends meanwhile waits in its socket. */
#ifndef NFSBENCH_CLI_METRICS_PORT_H
#define NFSBENCH_CLI_METRICS_PORT_H

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "output/file.h"

enum {
    SCRAPES = 4,           /* at a time; others wait until they are accepted */
    SCRAPE_REQUEST = 2048, /* bytes of a request at most, its headers included */
    SCRAPE_SECONDS = 2,    /* until it must be over */
};

/* A connection; its FD is valid while UNTIL_NS is not 0. */
struct scrape {
    int fd;
    uint64_t until_ns; /* monotonic */
    char request[SCRAPE_REQUEST];
    size_t received;
    char *answer; /* NULL: the request is not complete */
    size_t length, sent;
};

struct metrics_port {
    int listener; /* valid while PORT is not 0 */
    uint16_t port;
    struct scrape scrapes[SCRAPES];
    char *text;
    size_t length;
};

/* Listen on PORT of 127.0.0.1 (0: any free one), which PORT has afterwards. Returns 0, or a
 * negative errno with ERROR set (ERROR_USAGE). */
int metrics_port_open(struct metrics_port *metrics, uint16_t port, struct error *error);

/* GET /metrics is answered by what WRITER writes of DATA from now on; by an empty text before. */
void metrics_port_publish(struct metrics_port *metrics, file_writer writer, const void *data);

/* Take and answer what has arrived; never waits. */
void metrics_port_serve(struct metrics_port *metrics);

/* Does nothing if a zeroed one was never opened. */
void metrics_port_close(struct metrics_port *metrics);

#endif
