#include "target/target.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#define FORMS "host:/export, [v6]:/export, nfs://host/export, self: or a path on an NFS mount"

static int refuse_target(const char *text, const char *why, struct error *error)
{
    return error_set(error, ERROR_USAGE, -EINVAL, "target '%.200s': %s; expected " FORMS, text,
                     why);
}

static int parse_port(const char *text, size_t length, uint16_t *port)
{
    unsigned long value = 0;

    if (length == 0 || length > 5)
        return -EINVAL;
    for (size_t i = 0; i < length; i++) {
        if (!isdigit((unsigned char)text[i]))
            return -EINVAL;
        value = value * 10 + (unsigned long)(text[i] - '0');
    }
    if (value == 0 || value > UINT16_MAX)
        return -EINVAL;
    *port = (uint16_t)value;
    return 0;
}

static int copy_host(struct target *target, const char *host, size_t length)
{
    if (length == 0 || length >= sizeof target->host)
        return -EINVAL;
    memcpy(target->host, host, length);
    target->host[length] = '\0';
    return 0;
}

/* Set TARGET's host from the start of TEXT. The host is in brackets or ends before a character of
 * ENDS. Returns the text after the host; NULL: there is no host, or it is too long. */
static const char *parse_host(const char *text, const char *ends, struct target *target)
{
    size_t length;

    if (*text == '[') {
        const char *close = strchr(text, ']');

        if (!close || copy_host(target, text + 1, (size_t)(close - text - 1)) != 0)
            return NULL;
        return close + 1;
    }
    length = strcspn(text, ends);
    return copy_host(target, text, length) == 0 ? text + length : NULL;
}

/* Return whether TEXT begins with a scheme, such as "http", which must not be taken for a host. */
static bool has_scheme(const char *text)
{
    const char *at = text;

    while (isalnum((unsigned char)*at))
        at++;
    return strncmp(at, "://", 3) == 0;
}

static int parse_host_path(const char *text, struct target *target, struct error *error)
{
    const char *path = parse_host(text, ":", target);

    if (!path)
        return refuse_target(text, "no host", error);
    if (*path != ':')
        return refuse_target(text, "no ':' after the host", error);
    if (path[1] != '/')
        return refuse_target(text, "the export must begin with '/'", error);
    if (strlen(path + 1) >= sizeof target->path)
        return refuse_target(text, "the path is longer than 1024 bytes (MNTPATHLEN)", error);
    strcpy(target->path, path + 1);
    return 0;
}

static int hex_digit(char c)
{
    if (!isxdigit((unsigned char)c))
        return -1;
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* Write PATH, of LENGTH bytes, to OUT with each %XX decoded. Returns 0 or -EINVAL. */
static int decode_path(const char *path, size_t length, char out[TARGET_PATH_SIZE])
{
    size_t written = 0;

    for (size_t i = 0; i < length; i++) {
        int byte = (unsigned char)path[i];

        if (byte == '%') {
            int high = i + 1 < length ? hex_digit(path[i + 1]) : -1;
            int low = i + 2 < length ? hex_digit(path[i + 2]) : -1;

            if (high < 0 || low < 0 || (high == 0 && low == 0))
                return -EINVAL;
            byte = high * 16 + low;
            i += 2;
        }
        if (written + 1 >= TARGET_PATH_SIZE)
            return -EINVAL;
        out[written++] = (char)byte;
    }
    out[written] = '\0';
    return 0;
}

static bool key_is(const char *pair, size_t length, const char *key)
{
    return length == strlen(key) && strncmp(pair, key, length) == 0;
}

/* Parse PAIR, LENGTH bytes "KEY=VALUE" of a URL's query, into TARGET. Returns 0, -EINVAL, or
 * -EPROTONOSUPPORT if the NFS version is not 3. */
static int parse_argument(const char *pair, size_t length, struct target *target)
{
    const char *equals = memchr(pair, '=', length);
    size_t key = equals ? (size_t)(equals - pair) : length;
    const char *value = equals ? equals + 1 : pair + length;
    size_t value_length = length - (size_t)(value - pair);

    if (key_is(pair, key, "mountport"))
        return parse_port(value, value_length, &target->mount_port);
    if (key_is(pair, key, "nfsport"))
        return parse_port(value, value_length, &target->nfs_port);
    if (key_is(pair, key, "version") || key_is(pair, key, "vers"))
        return key_is(value, value_length, "3") ? 0 : -EPROTONOSUPPORT;
    if (!key_is(pair, key, "proto"))
        return -EINVAL;
    if (key_is(value, value_length, "tcp"))
        target->transport = TRANSPORT_TCP;
    else if (key_is(value, value_length, "udp"))
        target->transport = TRANSPORT_UDP;
    else
        return -EINVAL;
    return 0;
}

static int parse_query(const char *text, const char *query, struct target *target,
                       struct error *error)
{
    while (*query) {
        size_t length = strcspn(query, "&");
        int code = parse_argument(query, length, target);

        if (code == -EPROTONOSUPPORT)
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "target '%.200s': '%.*s': nfsbench measures NFS version 3 only", text,
                             (int)(length < 80 ? length : 80), query);
        if (code)
            return error_set(error, ERROR_USAGE, -EINVAL,
                             "target '%.200s': '%.*s' is not one of mountport=N, nfsport=N, "
                             "proto=tcp, proto=udp, version=3",
                             text, (int)(length < 80 ? length : 80), query);
        query += length + (query[length] == '&');
    }
    return 0;
}

static int parse_url(const char *text, struct target *target, struct error *error)
{
    const char *at = parse_host(text + strlen("nfs://"), ":/?", target);
    size_t length;

    if (!at)
        return refuse_target(text, "no host", error);
    if (*at == ':') {
        length = strcspn(++at, "/?");
        if (parse_port(at, length, &target->nfs_port) != 0)
            return refuse_target(text, "the port must be 1 to 65535", error);
        at += length;
    }
    if (*at != '/')
        return refuse_target(text, "no path of an export after the host", error);
    length = strcspn(at, "?");
    if (decode_path(at, length, target->path) != 0)
        return refuse_target(text, "the path is too long or has a broken %XX", error);
    at += length;
    return *at ? parse_query(text, at + 1, target, error) : 0;
}

/* Remove trailing slashes, because some servers distinguish "/export/" from "/export". */
static void strip_slashes(char *path)
{
    size_t length = strlen(path);

    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
}

static bool is_path(const char *text)
{
    return text[0] == '/' || strcmp(text, ".") == 0 || strncmp(text, "./", 2) == 0 ||
           strncmp(text, "../", 3) == 0;
}

static int parse_path(const char *text, struct target *target, struct error *error)
{
    if (strlen(text) >= sizeof target->path)
        return refuse_target(text, "the path is too long", error);
    target->mounted = true;
    strcpy(target->path, text);
    return 0;
}

static int parse_form(const char *text, struct target *target, struct error *error)
{
    *target = (struct target){.transport = TRANSPORT_TCP};
    if (strncmp(text, "self:", 5) == 0) {
        target->self = true;
        if (text[5] && text[5] != '/')
            return refuse_target(text, "a path after self: must begin with '/'", error);
        if (strlen(text + 5) >= sizeof target->path - 16)
            return refuse_target(text, "the path is too long", error);
        strcpy(target->path, text + 5);
        return 0;
    }
    if (strncmp(text, "nfs://", 6) == 0)
        return parse_url(text, target, error);
    if (is_path(text))
        return parse_path(text, target, error);
    if (has_scheme(text))
        return refuse_target(text, "a URL must begin with nfs://", error);
    return parse_host_path(text, target, error);
}

bool target_parse_host(const char *text, struct target *target)
{
    const char *end;

    *target = (struct target){.transport = TRANSPORT_TCP};
    end = parse_host(text, ":", target);
    return end && strcmp(end, ":") == 0 && strcmp(text, "self:") != 0;
}

bool target_parse_endpoint(const char *text, struct target *target)
{
    const char *end;

    *target = (struct target){.transport = TRANSPORT_TCP};
    end = parse_host(text, ":[]", target);
    return end && *end == ':' && parse_port(end + 1, strlen(end + 1), &target->nfs_port) == 0;
}

int target_parse(const char *text, struct target *target, struct error *error)
{
    int code = parse_form(text, target, error);

    strip_slashes(target->path);
    return code;
}

struct endpoint target_endpoint(const struct target *target, const struct addrinfo *address)
{
    struct endpoint endpoint = {.transport = target->transport};

    memcpy(&endpoint.address, address->ai_addr, address->ai_addrlen);
    return endpoint;
}
