/* The duplicate request cache. */
#include "test.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include "serve/rpc/replies.h"

enum { CAPACITY = 4096 };

static struct sockaddr_storage peer_at(const char *address, uint16_t port)
{
    struct sockaddr_storage peer = {.ss_family = AF_INET};
    struct sockaddr_in *in = (struct sockaddr_in *)&peer;

    inet_pton(AF_INET, address, &in->sin_addr);
    in->sin_port = htons(port);
    return peer;
}

static bool over_udp;

static enum replies_found find(struct replies *replies, const char *request, const char *address,
                               uint16_t port, uint64_t *ticket, char reply[REPLIES_SIZE])
{
    struct sockaddr_storage peer = peer_at(address, port);
    const struct replies_request asked = {(const uint8_t *)request, strlen(request), &peer,
                                          !over_udp};
    size_t length = 0;
    enum replies_found found = replies_find(replies, &asked, ticket, (uint8_t *)reply, &length);

    reply[length] = '\0';
    return found;
}

static void keep(struct replies *replies, uint64_t ticket, const char *reply)
{
    replies_keep(replies, ticket, (const uint8_t *)reply, strlen(reply));
}

TEST_CASE(repeated)
{
    struct replies *replies = replies_open(CAPACITY, REPLIES_LIFETIME_S);
    char reply[REPLIES_SIZE + 1];
    uint64_t ticket, other;

    assert_int_equal(find(replies, "one", "10.0.0.1", 700, &ticket, reply), REPLIES_NEW);
    assert_int_equal(find(replies, "one", "10.0.0.1", 700, &other, reply), REPLIES_UNDER_WAY);
    keep(replies, ticket, "done");
    assert_int_equal(find(replies, "one", "10.0.0.1", 700, &other, reply), REPLIES_KNOWN);
    assert_string_equal(reply, "done");
    /* Requests of another port or another host, or over UDP, are no repetitions. */
    assert_int_equal(find(replies, "one", "10.0.0.1", 701, &other, reply), REPLIES_NEW);
    assert_int_equal(find(replies, "one", "10.0.0.2", 700, &other, reply), REPLIES_NEW);
    over_udp = true;
    assert_int_equal(find(replies, "one", "10.0.0.1", 700, &other, reply), REPLIES_NEW);
    over_udp = false;
    assert_int_equal(find(replies, "one", "10.0.0.1", 700, &other, reply), REPLIES_KNOWN);
    assert_int_equal(find(replies, "onf", "10.0.0.1", 700, &other, reply), REPLIES_NEW);
    replies_close(replies);
}

/* The oldest entry is dropped. A reply whose entry was dropped is not kept. */
TEST_CASE(bounded)
{
    struct replies *replies = replies_open(CAPACITY, REPLIES_LIFETIME_S);
    char reply[REPLIES_SIZE + 1], request[32];
    uint64_t first, ticket;

    assert_int_equal(find(replies, "first", "10.0.0.1", 1, &first, reply), REPLIES_NEW);
    for (int i = 0; i < 2 * CAPACITY; i++) {
        snprintf(request, sizeof request, "%d", i);
        assert_int_equal(find(replies, request, "10.0.0.1", 1, &ticket, reply), REPLIES_NEW);
        keep(replies, ticket, request);
    }
    keep(replies, first, "late");
    assert_int_equal(find(replies, "first", "10.0.0.1", 1, &ticket, reply), REPLIES_NEW);
    for (int i = 2 * CAPACITY - 1; i > CAPACITY + 1; i--) {
        snprintf(request, sizeof request, "%d", i);
        assert_int_equal(find(replies, request, "10.0.0.1", 1, &ticket, reply), REPLIES_KNOWN);
        assert_string_equal(reply, request);
    }
    assert_int_equal(find(replies, "5", "10.0.0.1", 1, &ticket, reply), REPLIES_NEW);
    replies_close(replies);
}
