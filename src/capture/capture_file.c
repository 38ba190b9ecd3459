#include "capture/capture_file.h"

#include <errno.h>
#include <inttypes.h>
#include <pcap/pcap.h>
#include <string.h>

#include "capture/rpc_shape.h"
#include "capture/time_order.h"

static const struct traffic_limits limits = {.memory = 256 << 20, .calls = 1 << 17};

enum { SORTED_FRAMES = 1024, SORTED_BYTES = 16 << 20 };

static const struct {
    int pcap_link; /* DLT_x */
    enum link_type link;
} links[] = {
    {DLT_EN10MB, LINK_ETHERNET}, {DLT_LINUX_SLL, LINK_COOKED}, {DLT_LINUX_SLL2, LINK_COOKED_2},
    {DLT_NULL, LINK_LOOPBACK},   {DLT_LOOP, LINK_LOOPBACK},    {DLT_RAW, LINK_RAW},
    {DLT_IPV4, LINK_RAW},        {DLT_IPV6, LINK_RAW},
};

static int find_link(pcap_t *pcap, const char *path, enum link_type *link, struct error *error)
{
    int found = pcap_datalink(pcap);
    const char *name = pcap_datalink_val_to_name(found);

    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
        if (links[i].pcap_link == found) {
            *link = links[i].link;
            return 0;
        }
    return error_set(error, ERROR_USAGE, -EINVAL,
                     "%.300s: the link layer of this capture is %s (%d); Ethernet, Linux cooked, "
                     "loopback and raw IP are known",
                     path, name ? name : "not known", found);
}

/* Libpcap reports the time in the unit that was asked for when the file was opened: ns. */
static struct captured_frame frame_of(enum link_type link, const struct pcap_pkthdr *header,
                                      const uint8_t *bytes)
{
    return (struct captured_frame){
        .link = link,
        .time = (uint64_t)header->ts.tv_sec * 1000000000 + (uint64_t)header->ts.tv_usec,
        .bytes = bytes,
        .captured = header->caplen,
        .sent = header->len > header->caplen ? header->len : header->caplen};
}

static void add_to_traffic(void *context, const struct captured_frame *frame)
{
    traffic_add(context, frame);
}

/* Returns what pcap_next_ex() ended with, or 1 without memory. */
static int read_frames(pcap_t *pcap, enum link_type link, struct traffic *traffic)
{
    const struct time_order_sink sink = {add_to_traffic, traffic};
    struct time_order *order = time_order_open(SORTED_FRAMES, SORTED_BYTES, &sink);
    struct pcap_pkthdr *header;
    const uint8_t *bytes;
    int got = 1, code = order ? 0 : -ENOMEM;

    while (code == 0 && (got = pcap_next_ex(pcap, &header, &bytes)) == 1) {
        const struct captured_frame frame = frame_of(link, header, bytes);

        code = time_order_add(order, &frame);
    }
    time_order_close(order);
    return got;
}

/* A last packet that is cut is how a capture ends that was stopped; anything else is an error only
 * where nothing came before it. */
static int read_all(pcap_t *pcap, enum link_type link, struct profile *profile,
                    struct workload_fill *fill, struct error *error)
{
    struct traffic *traffic = traffic_open(profile, fill, &limits);
    int got = traffic ? read_frames(pcap, link, traffic) : 1;

    if (traffic)
        traffic_close(traffic);
    if (got == 1)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a capture");
    if (got != PCAP_ERROR_BREAK)
        snprintf(profile->ended_by, sizeof profile->ended_by, "%s", pcap_geterr(pcap));
    if (profile->ended_by[0] && profile->counts.packets == 0)
        return error_set(error, ERROR_USAGE, -EINVAL, "can't read the capture %.200s: %s",
                         profile->path, profile->ended_by);
    return 0;
}

/* What was found instead of NFSv3: "nfs version 4: 12 calls". */
static void describe_others(const struct profile *profile, char *text, size_t size)
{
    size_t used = 0;

    snprintf(text, size, "%s",
             profile->counts.undecodable
                 ? "messages of RPC that are cut; capture with a longer snap length, such as 256 "
                   "bytes"
             : profile->counts.cut ? "no RPC in what the snap length left of them; capture with a "
                                     "longer one, such as 256 bytes"
                                   : "no RPC");
    for (size_t i = 0; i < profile->program_count && used < size; i++) {
        const struct profile_program *program = &profile->programs[i];

        used += (size_t)snprintf(text + used, size - used,
                                 "%s%s version %u (%" PRIu64 " call%s, not decoded)",
                                 used ? ", " : "", rpc_shape_program(program->program),
                                 program->version, program->calls, program->calls == 1 ? "" : "s");
    }
}

static int check_contents(const struct profile *profile, struct error *error)
{
    char others[300];

    if (profile_calls(profile) > 0)
        return 0;
    describe_others(profile, others, sizeof others);
    return error_set(error, ERROR_FAILED, -ENODATA,
                     "%.200s: no call of NFSv3 among its packets (%" PRIu64 "), but %s",
                     profile->path, profile->counts.packets, others);
}

static int set_filter(pcap_t *pcap, const char *filter, struct error *error)
{
    struct bpf_program program;
    int code;

    if (pcap_compile(pcap, &program, filter, 1, PCAP_NETMASK_UNKNOWN) != 0)
        return error_set(error, ERROR_USAGE, -EINVAL, "--filter '%.100s': %s; see pcap-filter(7)",
                         filter, pcap_geterr(pcap));
    code = pcap_setfilter(pcap, &program);
    pcap_freecode(&program);
    return code ? error_set(error, ERROR_FAILED, -EINVAL, "--filter: %s", pcap_geterr(pcap)) : 0;
}

int capture_file_profile(struct profile *profile, struct workload_fill *fill, const char *path,
                         const char *filter, struct error *error)
{
    char message[PCAP_ERRBUF_SIZE];
    enum link_type link = LINK_RAW;
    pcap_t *pcap =
        pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, message);
    int code;

    if (!pcap)
        return error_set(error, ERROR_USAGE, -EINVAL, "can't read the capture %.200s: %s", path,
                         message);
    profile->path = path;
    code = find_link(pcap, path, &link, error);
    if (code == 0 && filter)
        code = set_filter(pcap, filter, error);
    if (code == 0)
        code = read_all(pcap, link, profile, fill, error);
    pcap_close(pcap);
    return code ? code : check_contents(profile, error);
}
