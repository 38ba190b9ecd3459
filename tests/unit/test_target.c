#include "test.h"

#include "target/target.h"

struct good {
    const char *text, *host, *path;
    uint16_t nfs_port, mount_port;
    enum transport transport;
    bool self;
};

TEST_CASE(good)
{
    static const struct good targets[] = {
        {"server:/export", "server", "/export", 0, 0, TRANSPORT_TCP},
        {"server:/export/", "server", "/export", 0, 0, TRANSPORT_TCP},
        {"server:/", "server", "/", 0, 0, TRANSPORT_TCP},
        {"server:/a/b c/d:e", "server", "/a/b c/d:e", 0, 0, TRANSPORT_TCP},
        {"10.0.0.1:/export", "10.0.0.1", "/export", 0, 0, TRANSPORT_TCP},
        {"[::1]:/export", "::1", "/export", 0, 0, TRANSPORT_TCP},
        {"[fe80::1%eth0]:/export", "fe80::1%eth0", "/export", 0, 0, TRANSPORT_TCP},
        {"nfs://server/export", "server", "/export", 0, 0, TRANSPORT_TCP},
        {"nfs://server:20490/export/sub", "server", "/export/sub", 20490, 0, TRANSPORT_TCP},
        {"nfs://[::1]:65535/export", "::1", "/export", 65535, 0, TRANSPORT_TCP},
        {"nfs://[::1]/export", "::1", "/export", 0, 0, TRANSPORT_TCP},
        {"nfs://server/export?proto=udp", "server", "/export", 0, 0, TRANSPORT_UDP},
        {"nfs://s/e?version=3&mountport=1&nfsport=2&proto=tcp", "s", "/e", 2, 1, TRANSPORT_TCP},
        {"nfs://s:5/e?nfsport=6", "s", "/e", 6, 0, TRANSPORT_TCP},
        {"nfs://s/a%20b%2Fc%e4?", "s", "/a b/c\xe4", 0, 0, TRANSPORT_TCP},
        {"self:", "", "", 0, 0, TRANSPORT_TCP, .self = true},
        {"self:/dir", "", "/dir", 0, 0, TRANSPORT_TCP, .self = true},
    };

    for (size_t i = 0; i < COUNT_OF(targets); i++) {
        const struct good *good = &targets[i];
        struct target target;
        struct error error;

        if (target_parse(good->text, &target, &error) != 0)
            fail_msg("%s: %s", good->text, error.text);
        assert_all((target.host, good->host), (target.path, good->path),
                   (target.nfs_port, good->nfs_port), (target.mount_port, good->mount_port),
                   (target.transport, good->transport), (target.self, good->self));
    }
}

static void refuse(const char *text)
{
    struct target target;
    struct error error = {0};

    if (target_parse(text, &target, &error) != -EINVAL)
        fail_msg("'%s' was taken", text);
    assert_all((error.kind, ERROR_USAGE), (strchr(error.text, '\n'), NULL));
}

TEST_CASE(bad)
{
    static const char targets[] =
        "|:|:/export|server|server:|server:export|[::1|[::1]/export|[]:/export|self:dir|"
        "nfs://|nfs:///export|nfs://server|nfs://server:/export|nfs://server:0/export|"
        "nfs://server:65536/export|nfs://server:-1/export|nfs://server:123456/export|"
        "nfs://server/export?x|nfs://server/export?mountport|nfs://server/export?mountport=|"
        "nfs://server/export?mountport=0|nfs://server/export?mountport=1x|"
        "nfs://server/export?proto=|nfs://server/export?proto=tcpx|"
        "nfs://server/export?version=4|nfs://server/export?&|nfs://server/%|nfs://server/%1|"
        "nfs://server/%00|nfs://server/%g0|http://server/export|nfs4://server/export|NFS://s/e";
    static const char *const long_ones[] = {"x", "s:/", "nfs://s/", "self:/"};
    char longest[3000];

    for (char *rest = strdupa(targets), *text; (text = strsep(&rest, "|"));)
        refuse(text);
    for (size_t i = 0; i < COUNT_OF(long_ones); i++) {
        memset(longest, 'x', sizeof longest - 1);
        longest[sizeof longest - 1] = '\0';
        memcpy(longest, long_ones[i], strlen(long_ones[i]));
        refuse(longest);
    }
    memset(longest, 'x', 1300);
    memcpy(longest + 1300, ":/", 2);
    refuse(longest);
}

TEST_CASE(host)
{
    static const char *const others[] = {"host:/", "host",  "self:",        ":",
                                         "",       "[::1]", "nfs://host:/x"};
    struct target target;

    assert_all((target_parse_host("server:", &target)), (target.host, "server"), (target.path, ""),
               (target_parse_host("[::1]:", &target)), (target.host, "::1"));
    for (size_t i = 0; i < COUNT_OF(others); i++)
        assert_false(target_parse_host(others[i], &target));
}

/* Looking up a host if no name server answers until the test writes to or closes the pipe. */

static int answers[2]; /* a pipe */

int __wrap_getaddrinfo(const char *host, const char *service, const struct addrinfo *hints,
                       struct addrinfo **addresses);

int __wrap_getaddrinfo(const char *host, const char *service, const struct addrinfo *hints,
                       struct addrinfo **addresses)
{
    char byte;

    if (hints->ai_flags & AI_NUMERICHOST)
        return EAI_NONAME;
    return read(answers[0], &byte, 1) == 1 ? EAI_AGAIN : EAI_NONAME;
}

TEST_CASE(a_look_up_ends_at_the_deadline_or_a_signal)
{
    static const volatile sig_atomic_t stopped = 1;
    static const struct {
        struct deadline deadline;
        int code;
        const char *text;
    } cases[] = {
        {{.at_ns = 1}, -ETIMEDOUT, "no name server has answered yet"},
        {{.stop = &stopped}, -EINTR, "interrupted while looking up the host 'server'"},
    };
    const struct target target = {.host = "server"};
    struct addrinfo *addresses;
    struct error error;

    assert_int_equal(pipe(answers), 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_all((target_resolve(&target, &cases[i].deadline, &addresses, &error), cases[i].code),
                   (strstr(error.text, cases[i].text) != NULL));
    assert_int_equal(write(answers[1], "..", 2), 2); /* end the two threads */
}

TEST_CASE(a_name_that_is_not_known)
{
    const struct deadline never = {.at_ns = 0};
    const struct target target = {.host = "server"};
    struct addrinfo *addresses;
    struct error error;

    assert_int_equal(pipe(answers), 0);
    close(answers[1]);
    assert_int_equal(target_resolve(&target, &never, &addresses, &error), -EHOSTUNREACH);
}
