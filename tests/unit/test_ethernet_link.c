/* The model of an ethernet link: which frames arrive, and when. */
#include "test.h"

#include "ethernet_link.h"

enum { NS_PER_BYTE = 80, LATENCY_NS = 50000 }; /* 100 Mbit/s */

static void open_link(struct ethernet_link *link, uint64_t rate, uint32_t capacity)
{
    const struct ethernet_properties properties = {
        .rate = rate, .latency_ns = LATENCY_NS, .mtu = ETHERNET_MTU_MAXIMUM, .capacity = capacity};

    assert_int_equal(ethernet_link_open(link, &properties), 0);
    assert_null(ethernet_link_next(link));
}

/* Deliver the next frame LATE ns after its due time. Returns its due time. */
static uint64_t take_frame(struct ethernet_link *link, uint64_t late)
{
    uint64_t due = ethernet_link_next(link)->due_ns;

    ethernet_link_deliver(link, due + late);
    return due;
}

TEST_CASE(one_frame)
{
    struct ethernet_link link;

    open_link(&link, 100 * 1000 * 1000, 4);
    ethernet_link_send(&link, 1514, 1000);
    assert_int_equal(take_frame(&link, 0), 1000 + (8 + 1514 + 4) * NS_PER_BYTE + LATENCY_NS);
    /* The shortest frame has 64 bytes with its check sequence. */
    ethernet_link_send(&link, 42, 1000000);
    assert_all((take_frame(&link, 0), 1000000 + (8 + 64) * NS_PER_BYTE + LATENCY_NS),
               (link.delivered, 2), (link.bytes, 1514 + 42));
    ethernet_link_close(&link);
}

/* A frame waits for the previous frame and the gap. The latency does not occupy the link. */
TEST_CASE(order)
{
    const uint64_t each = (8 + 1514 + 4 + 12) * NS_PER_BYTE;
    struct ethernet_link link;

    open_link(&link, 100 * 1000 * 1000, 4);
    for (unsigned i = 0; i < 3; i++) {
        ethernet_link_room(&link)->bytes[0] = (uint8_t)i;
        ethernet_link_send(&link, 1514, i);
    }
    for (unsigned i = 0; i < 3; i++)
        assert_all((ethernet_link_next(&link)->bytes[0], i),
                   (take_frame(&link, 100 * i), i * each + each - 12 * NS_PER_BYTE + LATENCY_NS));
    assert_all((ethernet_link_next(&link), NULL), (link.late_ns.mean, 100, 1e-9),
               (link.late_ns.maximum, 200, 0));
    ethernet_link_close(&link);
}

TEST_CASE(no_rate)
{
    struct ethernet_link link;

    open_link(&link, 0, 2);
    ethernet_link_send(&link, 9014, 5);
    ethernet_link_send(&link, 9014, 5);
    assert_all((take_frame(&link, 0), 5 + LATENCY_NS), (take_frame(&link, 0), 5 + LATENCY_NS));
    ethernet_link_close(&link);
}

TEST_CASE(full)
{
    struct ethernet_link link;
    uint64_t last = 0;

    open_link(&link, 1000 * 1000 * 1000, 3);
    for (uint8_t i = 0; i < 50; i++) {
        ethernet_link_room(&link)->bytes[0] = i;
        ethernet_link_send(&link, 1000, 0);
        /* From frame 40 on, each delivery makes room for the next frame. */
        if (i >= 40) {
            assert_int_equal(ethernet_link_next(&link)->bytes[0], i < 43 ? i - 40 : i - 2);
            last = take_frame(&link, 0);
        }
    }
    assert_all((link.dropped, 38), (link.count, 2),
               (last, (uint64_t)(10 * (8 + 1000 + 4 + 12) - 12) * 8 + LATENCY_NS));
    ethernet_link_close(&link);
}

/* Links that lose or delay frames on purpose. pass() sends FRAMES numbered frames of LENGTH bytes.
 * LONG_NS: unit of jitter and delays, much longer than a frame takes. */

enum { FRAMES = 20000, LENGTH = 1000, LONG_NS = 1000000 };

/* The frames of one test after they left the link. */
struct passage {
    struct ethernet_link link;
    uint32_t order[FRAMES]; /* numbers of the frames in the order of arrival */
    /* for each frame, by its number: time from sending to arrival; 0: lost */
    uint64_t transit_ns[FRAMES];
    size_t count;
};

static void deliver_due(struct passage *passage, uint64_t interval_ns, uint64_t now_ns)
{
    const struct ethernet_frame *next;
    uint32_t number;

    while ((next = ethernet_link_next(&passage->link)) && next->due_ns <= now_ns) {
        memcpy(&number, next->bytes, sizeof number);
        passage->order[passage->count++] = number;
        passage->transit_ns[number] = next->due_ns - number * interval_ns;
        ethernet_link_deliver(&passage->link, next->due_ns);
    }
}

/* Send the frames, one every INTERVAL_NS, over a link with PROPERTIES, latency and room for all. */
static struct passage *pass(struct ethernet_properties properties, uint64_t interval_ns)
{
    struct passage *passage = calloc(1, sizeof *passage);

    properties.latency_ns = LATENCY_NS;
    properties.mtu = 1500;
    properties.capacity = FRAMES;
    assert_int_equal(ethernet_link_open(&passage->link, &properties), 0);
    for (uint32_t i = 0; i < FRAMES; i++) {
        deliver_due(passage, interval_ns, i * interval_ns);
        memcpy(ethernet_link_room(&passage->link)->bytes, &i, sizeof i);
        ethernet_link_send(&passage->link, LENGTH, i * interval_ns);
    }
    deliver_due(passage, interval_ns, UINT64_MAX);
    assert_all((passage->link.delivered + passage->link.lost, FRAMES), (passage->link.dropped, 0),
               (passage->link.late_ns.maximum, 0, 0));
    return passage;
}

static void end(struct passage *passage)
{
    ethernet_link_close(&passage->link);
    free(passage);
}

/* Check that COUNT events in TRIALS, each with PROBABILITY, are within 4.5 standard deviations of
 * the binomial distribution's mean. */
static void assert_binomial(uint64_t count, double trials, double probability)
{
    assert_near((double)count, trials * probability,
                4.5 * sqrt(trials * probability * (1 - probability)));
}

/* Return the number of frames that arrived directly after a frame with a higher number. Frames in
 * transit for LATE_FROM_NS or longer are ignored. */
static size_t out_of_order(const struct passage *passage, uint64_t late_from_ns)
{
    uint32_t last = 0;
    size_t found = 0;

    for (size_t i = 0; i < passage->count; i++) {
        uint32_t number = passage->order[i];

        if (passage->transit_ns[number] >= late_from_ns)
            continue;
        found += number < last;
        last = number;
    }
    return found;
}

TEST_CASE(loss)
{
    const double shares[] = {0.001, 0.01, 0.1};

    for (size_t i = 0; i < COUNT_OF(shares); i++) {
        struct passage *passage =
            pass((struct ethernet_properties){.loss = shares[i], .seed = i + 1}, 100);
        uint64_t pairs = 0;

        for (size_t j = 1; j < FRAMES; j++)
            pairs += !passage->transit_ns[j - 1] && !passage->transit_ns[j];
        assert_binomial(passage->link.lost, FRAMES, shares[i]);
        /* Frames are lost independently of each other. */
        if (shares[i] == 0.1)
            assert_binomial(pairs, FRAMES, shares[i] * shares[i]);
        assert_all((out_of_order(passage, UINT64_MAX), 0), (passage->link.reordered, 0));
        end(passage);
    }
}

TEST_CASE(loss_takes_time)
{
    const struct ethernet_properties properties = {
        .rate = 100 * 1000 * 1000, .loss = 1, .mtu = 1500, .capacity = 1};
    struct ethernet_link link;

    assert_int_equal(ethernet_link_open(&link, &properties), 0);
    ethernet_link_send(&link, 1000, 0);
    assert_all((ethernet_link_next(&link), NULL), (link.lost, 1));
    link.properties.loss = 0;
    ethernet_link_send(&link, 1000, 0);
    assert_int_equal(take_frame(&link, 0), (2 * (8 + 1000 + 4) + 12) * NS_PER_BYTE);
    ethernet_link_close(&link);
}

/* The jitter of frames that are far apart is uniformly distributed: each quarter has a quarter of
 * the frames. */
TEST_CASE(jitter)
{
    struct passage *passage =
        pass((struct ethernet_properties){.jitter_ns = LONG_NS, .seed = 1}, 2 * LONG_NS);
    uint64_t quarters[4] = {0};

    for (size_t i = 0; i < FRAMES; i++) {
        uint64_t added = passage->transit_ns[i] - LATENCY_NS;

        assert_true(passage->transit_ns[i] >= LATENCY_NS && added <= LONG_NS);
        quarters[added == LONG_NS ? 3 : 4 * added / LONG_NS]++;
    }
    for (size_t i = 0; i < 4; i++)
        assert_binomial(quarters[i], FRAMES, 0.25);
    end(passage);
}

TEST_CASE(jitter_keeps_order)
{
    struct passage *passage =
        pass((struct ethernet_properties){.jitter_ns = LONG_NS, .seed = 1}, LONG_NS / 10);
    bool varies = false;

    for (size_t i = 0; i < FRAMES; i++) {
        assert_in_range(passage->transit_ns[i], LATENCY_NS, LATENCY_NS + LONG_NS);
        varies = varies || passage->transit_ns[i] != passage->transit_ns[0];
    }
    assert_all((varies), (out_of_order(passage, UINT64_MAX), 0));
    end(passage);
}

TEST_CASE(jitter_keeps_rate)
{
    enum { INTERVAL_NS = LONG_NS / 10, EACH_NS = (8 + LENGTH + 4 + 12) * NS_PER_BYTE };
    struct passage *passage = pass(
        (struct ethernet_properties){.rate = 100 * 1000 * 1000, .jitter_ns = LONG_NS, .seed = 1},
        INTERVAL_NS);
    size_t close = 0;

    for (size_t i = 1; i < FRAMES; i++) {
        uint64_t apart = passage->transit_ns[i] + INTERVAL_NS - passage->transit_ns[i - 1];

        assert_true(apart >= EACH_NS);
        close += apart == EACH_NS;
    }
    assert_all((close > 0), (out_of_order(passage, UINT64_MAX), 0));
    end(passage);
}

/* A late frame arrives exactly delay_ns later, and ordinary frames that were sent meanwhile
 * overtake it. */
TEST_CASE(reordering)
{
    enum { OVERTAKERS = 10 };
    const struct ethernet_reordering reordering = {0.01, LONG_NS};
    struct passage *passage =
        pass((struct ethernet_properties){.reordering = reordering, .seed = 3},
             LONG_NS / OVERTAKERS + 1);
    size_t places[FRAMES];

    for (size_t i = 0; i < FRAMES; i++)
        places[passage->order[i]] = i;
    for (size_t i = 0; i + OVERTAKERS < FRAMES; i++) {
        if (passage->transit_ns[i] == LATENCY_NS)
            continue;
        assert_int_equal(passage->transit_ns[i], LATENCY_NS + LONG_NS);
        for (size_t j = i + 1; j < i + OVERTAKERS; j++)
            assert_true(places[j] < places[i] || passage->transit_ns[j] > LATENCY_NS);
    }
    assert_binomial(passage->link.reordered, FRAMES, 0.01);
    assert_all((passage->link.lost, 0), (out_of_order(passage, LATENCY_NS + LONG_NS), 0));
    end(passage);
}

/* Even with jitter, only late frames are overtaken, and no late frame delays later ones. */
TEST_CASE(reordering_with_jitter)
{
    const struct ethernet_reordering reordering = {0.1, 2 * LONG_NS};
    struct passage *passage = pass(
        (struct ethernet_properties){.jitter_ns = LONG_NS, .reordering = reordering, .seed = 4},
        LONG_NS / 10);
    uint64_t late = 0;

    for (size_t i = 0; i < FRAMES; i++)
        late += passage->transit_ns[i] > LATENCY_NS + LONG_NS;
    assert_all((passage->link.reordered, late),
               (out_of_order(passage, LATENCY_NS + LONG_NS + 1), 0));
    assert_binomial(late, FRAMES, 0.1);
    end(passage);
}

TEST_CASE(same_seed)
{
    struct ethernet_properties properties = {.loss = 0.1, .jitter_ns = LONG_NS, .seed = 5};
    struct passage *first = pass(properties, 1000), *again = pass(properties, 1000), *apart, *other;

    properties.jitter_ns = 0;
    apart = pass(properties, LONG_NS);
    properties.seed = 6;
    other = pass(properties, LONG_NS);
    assert_memory_equal(first->transit_ns, again->transit_ns, sizeof first->transit_ns);
    assert_int_equal(first->count, apart->count);
    assert_memory_equal(first->order, apart->order, first->count * sizeof first->order[0]);
    assert_memory_not_equal(first->order, other->order, sizeof first->order);
    end(first);
    end(again);
    end(apart);
    end(other);
}
