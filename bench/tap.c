#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/if_tun.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { COUNTERS_TEXT_SIZE = 8192 };

/* Set a property of a network interface with the ioctl REQUEST. INTERFACE has the interface's name
 * and the value. Returns 0 or a negative errno. */
static int set(struct ifreq *interface, unsigned long request)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int code = fd < 0 || ioctl(fd, request, interface) != 0 ? -errno : 0;

    if (fd >= 0)
        close(fd);
    return code;
}

/* Turn off, by the ethtool COMMAND, an offload that handles several frames as one: GSO or GRO.
 * Checksum offload and TSO need no call, because a TAP device does not offer them. */
static int turn_offload_off(const char *name, uint32_t command)
{
    struct ethtool_value off = {.cmd = command};
    struct ifreq interface = {.ifr_data = (void *)&off};

    snprintf(interface.ifr_name, sizeof interface.ifr_name, "%s", name);
    return set(&interface, SIOCETHTOOL);
}

static int make(struct tap *tap, unsigned mtu, unsigned queue)
{
    struct ifreq interface = {.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_NAPI};
    int code;

    snprintf(interface.ifr_name, sizeof interface.ifr_name, "%s", tap->name);
    tap->fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (tap->fd < 0 || ioctl(tap->fd, TUNSETIFF, &interface) != 0)
        return -errno;
    tap->counters = open("/proc/thread-self/net/dev", O_RDONLY | O_CLOEXEC);
    if (tap->counters < 0)
        return -errno;
    interface.ifr_mtu = (int)mtu;
    code = set(&interface, SIOCSIFMTU);
    interface.ifr_qlen = (int)queue;
    code = code ? code : set(&interface, SIOCSIFTXQLEN);
    code = code ? code : turn_offload_off(tap->name, ETHTOOL_SGSO);
    return code ? code : turn_offload_off(tap->name, ETHTOOL_SGRO);
}

int tap_open(struct tap *tap, const char *path, const char *name, unsigned mtu, unsigned queue,
             struct error *error)
{
    int own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    int there = open(path, O_RDONLY | O_CLOEXEC);
    int code = own < 0 || there < 0 || setns(there, CLONE_NEWNET) != 0 ? -errno : 0;

    *tap = (struct tap){.fd = -1, .counters = -1};
    if (code) {
        error_set(error, ERROR_FAILED, code, "the network namespace %s: %s", path, strerror(-code));
    } else {
        snprintf(tap->name, sizeof tap->name, "%s", name);
        code = make(tap, mtu, queue);
        if (code)
            error_set(
                error, ERROR_FAILED, code,
                "the TAP device %s in %s: %s; this needs root, /dev/net/tun and an unused name",
                name, path, strerror(-code));
        if (setns(own, CLONE_NEWNET) != 0 && !code)
            code = error_set(error, ERROR_FAILED, -errno,
                             "returning to the original network namespace: %s", strerror(errno));
    }
    if (own >= 0)
        close(own);
    if (there >= 0)
        close(there);
    return code;
}

void tap_close(struct tap *tap)
{
    if (tap->fd >= 0)
        close(tap->fd);
    if (tap->counters >= 0)
        close(tap->counters);
}

uint64_t tap_dropped(const struct tap *tap)
{
    char text[COUNTERS_TEXT_SIZE], name[sizeof tap->name + 2];
    ssize_t length = pread(tap->counters, text, sizeof text - 1, 0);
    unsigned long long dropped = 0;
    const char *line;

    text[length > 0 ? length : 0] = '\0';
    snprintf(name, sizeof name, "%s:", tap->name);
    line = strstr(text, name);
    /* Skip 8 columns of received frames, and bytes, packets and errors of sent ones. Read drops. */
    if (line)
        sscanf(line + strlen(name), "%*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %llu", &dropped);
    return dropped;
}
