#include "cli/metrics_port.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/address.h"
#include "common/system_clock.h"

/* The text */

static char *write_text(file_writer writer, const void *data, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    int code = out ? writer(data, out) : -ENOMEM;

    if (out && fclose(out) == 0 && code == 0)
        return text;
    free(text);
    return NULL;
}

void metrics_port_publish(struct metrics_port *metrics, file_writer writer, const void *data)
{
    size_t length = 0;
    char *text = write_text(writer, data, &length);

    if (!text) /* without memory the last one stays */
        return;
    free(metrics->text);
    metrics->text = text;
    metrics->length = length;
}

/* Answers */

static bool is_complete(const struct scrape *scrape)
{
    return strstr(scrape->request, "\r\n\r\n") || strstr(scrape->request, "\n\n");
}

static const char *status_of(const struct scrape *scrape)
{
    const char *path = scrape->request + strlen("GET ");

    if (!is_complete(scrape))
        return "431 Request Header Fields Too Large";
    if (strncmp(scrape->request, "GET ", strlen("GET ")) != 0)
        return "405 Method Not Allowed\r\nAllow: GET";
    if (strcspn(path, " ?\r\n") != strlen("/metrics") ||
        strncmp(path, "/metrics", strlen("/metrics")) != 0)
        return "404 Not Found";
    return "200 OK";
}

/* The headers and, where STATUS is "200 OK", the text. */
struct answer {
    const struct metrics_port *metrics;
    const char *status;
};

static int write_answer(const void *data, FILE *out)
{
    static const char empty[] = "# EOF\n";
    const struct answer *answer = data;
    const char *body = answer->metrics->text ? answer->metrics->text : empty;
    size_t length = answer->metrics->text ? answer->metrics->length : strlen(empty);

    if (strcmp(answer->status, "200 OK") != 0)
        length = 0;
    fprintf(out,
            "HTTP/1.0 %s\r\nContent-Type: application/openmetrics-text; version=1.0.0; "
            "charset=utf-8\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
            answer->status, length);
    fwrite(body, 1, length, out);
    return 0;
}

/* Connections */

static void end_scrape(struct scrape *scrape)
{
    close(scrape->fd);
    free(scrape->answer);
    *scrape = (struct scrape){.until_ns = 0};
}

static void begin_scrape(const struct metrics_port *metrics, struct scrape *scrape)
{
    int fd = accept4(metrics->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    if (fd >= 0)
        *scrape = (struct scrape){
            .fd = fd, .until_ns = monotonic_ns() + SCRAPE_SECONDS * UINT64_C(1000000000)};
}

/* Continue with the request, of which a byte is kept for its end. False: the connection has failed.
 */
static bool receive(const struct metrics_port *metrics, struct scrape *scrape)
{
    const size_t room = sizeof scrape->request - 1 - scrape->received;
    ssize_t got = recv(scrape->fd, scrape->request + scrape->received, room, 0);

    if (got <= 0)
        return got < 0 && errno == EAGAIN;
    scrape->received += (size_t)got;
    if ((size_t)got < room && !is_complete(scrape))
        return true;
    scrape->answer =
        write_text(write_answer, &(struct answer){metrics, status_of(scrape)}, &scrape->length);
    return scrape->answer;
}

/* Likewise with the answer. False: the connection has failed, or the answer is sent. */
static bool answer(struct scrape *scrape)
{
    ssize_t sent = send(scrape->fd, scrape->answer + scrape->sent, scrape->length - scrape->sent,
                        MSG_NOSIGNAL);

    if (sent < 0)
        return errno == EAGAIN;
    scrape->sent += (size_t)sent;
    return scrape->sent < scrape->length;
}

static void serve_scrape(const struct metrics_port *metrics, struct scrape *scrape)
{
    bool goes_on = monotonic_ns() < scrape->until_ns;

    if (goes_on && !scrape->answer)
        goes_on = receive(metrics, scrape);
    if (goes_on && scrape->answer)
        goes_on = answer(scrape);
    if (!goes_on)
        end_scrape(scrape);
}

void metrics_port_serve(struct metrics_port *metrics)
{
    for (size_t i = 0; i < SCRAPES; i++) {
        struct scrape *scrape = &metrics->scrapes[i];

        if (!scrape->until_ns)
            begin_scrape(metrics, scrape);
        if (scrape->until_ns)
            serve_scrape(metrics, scrape);
    }
}

/* The port */

static int listen_at(int fd, uint16_t port)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int one = 1;

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof address) != 0)
        return -errno;
    return listen(fd, SCRAPES) == 0 ? 0 : -errno;
}

int metrics_port_open(struct metrics_port *metrics, uint16_t port, struct error *error)
{
    int code;

    *metrics = (struct metrics_port){
        .listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    code = listen_at(metrics->listener, port);
    if (code == 0)
        metrics->port = address_own_port(metrics->listener);
    else if (metrics->listener >= 0)
        close(metrics->listener);
    return code ? error_set(error, ERROR_USAGE, code,
                            "--metrics-port %u: listening on 127.0.0.1: %s; give another port, or "
                            "0 for any free one",
                            port, strerror(-code))
                : 0;
}

void metrics_port_close(struct metrics_port *metrics)
{
    if (!metrics->port)
        return;
    for (size_t i = 0; i < SCRAPES; i++)
        if (metrics->scrapes[i].until_ns)
            end_scrape(&metrics->scrapes[i]);
    close(metrics->listener);
    free(metrics->text);
    *metrics = (struct metrics_port){.port = 0};
}
