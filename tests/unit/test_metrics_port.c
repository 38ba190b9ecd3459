/* What scrapers get from the port of metrics, and what they can't do to it. */
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/metrics_port.h"
#include "test.h"

static struct metrics_port metrics;

static int open_port(void **state)
{
    struct error error;

    return metrics_port_open(&metrics, 0, &error);
}

static int close_port(void **state)
{
    metrics_port_close(&metrics);
    metrics_port_close(&metrics); /* does nothing */
    return 0;
}

/* A connection that has sent REQUEST. */
static int scraper(const char *request)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons(metrics.port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(send(fd, request, strlen(request), 0), strlen(request));
    return fd;
}

/* Serve until there is something to read from FD, or its end; half a minute at most, since a busy
 * machine delivers late. */
static void serve_until_readable(int fd)
{
    struct pollfd readable = {.fd = fd, .events = POLLIN};
    int ready = 0;

    for (int i = 0; i < 3000 && ready == 0; i++) {
        metrics_port_serve(&metrics);
        ready = poll(&readable, 1, 10);
    }
    assert_int_equal(ready, 1);
}

/* All that comes until the connection ends; closes it. */
static const char *answer_to(int fd)
{
    static char answer[4096];
    size_t length = 0;
    ssize_t got;

    serve_until_readable(fd);
    while ((got = recv(fd, answer + length, sizeof answer - 1 - length, 0)) > 0)
        length += (size_t)got;
    answer[length] = '\0';
    close(fd);
    return answer;
}

static size_t places_in_use(void)
{
    size_t used = 0;

    for (size_t i = 0; i < SCRAPES; i++)
        used += metrics.scrapes[i].until_ns != 0;
    return used;
}

static void serve_until_in_use(size_t places)
{
    for (int i = 0; i < 3000 && places_in_use() != places; i++) {
        metrics_port_serve(&metrics);
        poll(NULL, 0, i ? 10 : 0);
    }
    assert_int_equal(places_in_use(), places);
}

static int write_words(const void *data, FILE *out)
{
    return fputs(data, out) < 0;
}

static void assert_begins(const char *text, const char *beginning)
{
    if (strncmp(text, beginning, strlen(beginning)) != 0)
        fail_msg("'%s' does not begin with '%s'", text, beginning);
}

#define GET "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"

static void the_last_text_is_served(void **state)
{
    const char *answer = answer_to(scraper(GET));

    assert_begins(answer, "HTTP/1.0 200 OK\r\n");
    assert_string_equal(strstr(answer, "\r\n\r\n"), "\r\n\r\n# EOF\n"); /* nothing is known yet */
    metrics_port_publish(&metrics, write_words, "first");
    metrics_port_publish(&metrics, write_words, "second");
    answer = answer_to(scraper(GET));
    assert_non_null(strstr(answer, "Content-Length: 6\r\n"));
    assert_string_equal(strstr(answer, "\r\n\r\n"), "\r\n\r\nsecond");
}

static void nothing_else_is_served(void **state)
{
    assert_begins(answer_to(scraper("GET / HTTP/1.0\r\n\r\n")), "HTTP/1.0 404 ");
    assert_begins(answer_to(scraper("GET /metrics/x HTTP/1.0\r\n\r\n")), "HTTP/1.0 404 ");
    assert_begins(answer_to(scraper("GET /metric HTTP/1.0\r\n\r\n")), "HTTP/1.0 404 ");
    assert_begins(answer_to(scraper("POST /metrics HTTP/1.0\r\n\r\n")), "HTTP/1.0 405 ");
    assert_begins(answer_to(scraper("\x16\x03\x01\n\n")), "HTTP/1.0 405 ");
    assert_begins(answer_to(scraper("\n\n")), "HTTP/1.0 405 ");
    assert_begins(answer_to(scraper("GET /metrics?x=y HTTP/1.0\n\n")), "HTTP/1.0 200 ");
}

static void a_request_may_come_in_parts(void **state)
{
    int fd = scraper("GET /met");

    serve_until_in_use(1);
    assert_int_equal(send(fd, "rics HTTP/1.0\r\n\r\n", 17, 0), 17);
    assert_begins(answer_to(fd), "HTTP/1.0 200 ");
}

static void a_request_has_an_end(void **state)
{
    static char request[SCRAPE_REQUEST];

    memset(request, 'x', sizeof request - 1);
    assert_begins(answer_to(scraper(request)), "HTTP/1.0 431 ");
}

/* Clients that send nothing occupy the places until their time is over. */
static void silence_has_an_end(void **state)
{
    int silent[SCRAPES], patient;
    char byte;

    for (size_t i = 0; i < SCRAPES; i++)
        silent[i] = scraper("");
    serve_until_in_use(SCRAPES);
    patient = scraper(GET);
    for (size_t i = 0; i < SCRAPES; i++)
        metrics.scrapes[i].until_ns = 1;
    serve_until_readable(patient);
    for (size_t i = 0; i < SCRAPES; i++) {
        assert_int_equal(recv(silent[i], &byte, 1, 0), 0);
        close(silent[i]);
    }
    assert_begins(answer_to(patient), "HTTP/1.0 200 ");
}

static void who_leaves_gives_its_place_back(void **state)
{
    int fd = scraper("GET /");

    serve_until_in_use(1);
    close(fd);
    serve_until_in_use(0);
}

static void a_port_that_is_taken_is_refused(void **state)
{
    struct metrics_port other;
    struct error error;

    assert_int_not_equal(metrics_port_open(&other, metrics.port, &error), 0);
    assert_int_equal(error.kind, ERROR_USAGE);
    assert_non_null(strstr(error.text, "--metrics-port"));
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, open_port, close_port)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_last_text_is_served),
        CASE(nothing_else_is_served),
        CASE(a_request_may_come_in_parts),
        CASE(a_request_has_an_end),
        CASE(silence_has_an_end),
        CASE(who_leaves_gives_its_place_back),
        CASE(a_port_that_is_taken_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
