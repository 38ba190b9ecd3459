#include "serve/server.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/service_time.h"
#include "serve/transport/thread_pool.h"

struct server {
    struct exported exported;
    struct thread_pool pool;
};

/* The exported tree */

enum { LONG_REPLY = 256 << 10 }; /* free() returns replies of this size or more to the system */
enum { REPLIES = 65536, WRITE_REPLIES = 4096, SMALL_REPLIES = 64 };

static uint64_t longest_cost(const struct policy *policy)
{
    uint64_t longest = 0;

    for (size_t i = 0; i < POLICY_PROCEDURES; i++) {
        const uint64_t ns = policy->costs[i].ns + policy->locks[i].ns;

        if (ns > longest)
            longest = ns;
    }
    return longest;
}

static void allow_flavors(struct exported *exported, const struct policy *policy)
{
    static const uint32_t usual[] = {RPC_FLAVOR_SYS, RPC_FLAVOR_NONE};
    size_t count = policy->flavor_count ? policy->flavor_count : sizeof usual / sizeof usual[0];
    const uint32_t *flavors = policy->flavor_count ? policy->flavors : usual;

    for (size_t i = 0; i < count; i++) {
        exported->mounts.flavors[i] = flavors[i];
        if (flavors[i] <= RPC_FLAVOR_SYS)
            exported->flavors[flavors[i]] = true;
    }
    exported->mounts.flavor_count = count;
    /* If TLS is required, clear FLAVORS of EXPORTED, so that serve_flavor() checks every call. */
    if (policy->xprtsec == RPC_XPRTSEC_NONE)
        return;
    memcpy(exported->flavors_by_tls, exported->flavors, sizeof exported->flavors);
    memset(exported->flavors, 0, sizeof exported->flavors);
}

static void open_replies(struct exported *exported)
{
    const bool small = exported->policy.habits & HABIT_SMALL_CACHE;
    const unsigned lifetime_s = small ? 1 : REPLIES_LIFETIME_S;

    exported->replies = replies_open(small ? SMALL_REPLIES : REPLIES, lifetime_s);
    exported->write_replies = replies_open(small ? SMALL_REPLIES : WRITE_REPLIES, lifetime_s);
}

int exported_open(struct exported *exported, struct tree *tree, const struct policy *policy)
{
    pthread_rwlockattr_t attributes;

    memset(exported, 0, sizeof *exported);
    exported->tree = tree;
    exported->policy = *policy;
    exported->longest_cost_ns = longest_cost(policy);
    limits_open(&exported->limits, &exported->policy);
    allow_flavors(exported, policy);
    if (policy->habits & HABIT_COARSE_TIMES)
        tree->time_unit = 1000000000;
    pthread_rwlockattr_init(&attributes);
    /* Readers that follow one another must not block writers for ever. */
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&exported->lock, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    pthread_mutex_init(&exported->memory.lock, NULL);
    open_replies(exported);
    if (exported->replies && exported->write_replies)
        return 0;
    exported_close(exported);
    return -ENOMEM;
}

void exported_close(struct exported *exported)
{
    tree_close(exported->tree);
    replies_close(exported->replies);
    replies_close(exported->write_replies);
    if (exported->gss)
        exported->gss->type->close(exported->gss);
    if (exported->tls)
        exported->tls->type->close(exported->tls);
    pthread_rwlock_destroy(&exported->lock);
    pthread_mutex_destroy(&exported->memory.lock);
    limits_close(&exported->limits);
    if (exported->call_log)
        fclose(exported->call_log);
    free(exported->kept.data);
}

/* The server */

static int open_call_log(struct exported *exported, const char *path, struct error *error)
{
    if (path)
        exported->call_log = fopen(path, "we");
    if (!path || exported->call_log)
        return 0;
    return error_set(error, ERROR_USAGE, -errno, "--call-log %s: %s", path, strerror(errno));
}

static int open_exported(struct server *server, const struct server_config *config,
                         struct error *error)
{
    struct tree *tree = tree_open(geteuid(), getegid(), config->memory_limit);

    if (!tree || exported_open(&server->exported, tree, &config->policy) != 0)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the exported tree");
    server->exported.budget.limit = config->held_limit;
    server->exported.stall_ns = config->stall_ns;
    mallopt(M_MMAP_THRESHOLD, LONG_REPLY);
    if (tree_make_contents(tree, &config->fill) == 0) {
        int code = open_call_log(&server->exported, config->call_log, error);

        if (code)
            exported_close(&server->exported);
        return code;
    }
    exported_close(&server->exported);
    return error_set(error, ERROR_USAGE, -ENOSPC,
                     "the files don't fit into %llu MiB of memory (NFS3ERR_NOSPC); see --memory",
                     (unsigned long long)(config->memory_limit >> 20));
}

/* Open the keytab if a flavor of Kerberos is allowed. The caller must have dropped privileges, so
 * that a keytab which new contexts cannot read later is refused now. */
static int open_kerberos(struct server *server, const struct server_config *config,
                         struct error *error)
{
    const struct policy *policy = &config->policy;

    for (size_t i = 0; i < policy->flavor_count; i++)
        if (policy->flavors[i] >= RPC_FLAVOR_KRB5)
            return gss_server_open(&server->exported.gss, config->keytab, policy, error);
    return 0;
}

static int open_tls(struct server *server, const struct server_config *config, struct error *error)
{
    int code;

    if (!config->tls.certificate)
        return 0;
    code = tls_server_open(&server->exported.tls, &config->tls,
                           config->policy.xprtsec == RPC_XPRTSEC_MTLS, error);
    if (code == 0 && config->policy.habits & HABIT_NO_TICKETS)
        server->exported.tls->type->give_no_tickets(server->exported.tls);
    return code;
}

static int open_pool(struct server *server, const struct server_config *config, struct error *error)
{
    int code = sockets_open(&server->pool.sockets, &config->sockets, error);

    if (code)
        return code;
    code = open_tls(server, config, error);
    if (code == 0)
        code = privileges_drop(&config->privileges, error);
    if (code == 0)
        code = open_kerberos(server, config, error);
    if (code == 0) {
        spin_calibrate();
        code = thread_pool_open(&server->pool, config->threads, &server->exported,
                                config->service_times, error);
        if (code)
            thread_pool_close(&server->pool);
    }
    if (code)
        sockets_close(&server->pool.sockets);
    return code;
}

int server_open(struct server **result, const struct server_config *config, struct error *error)
{
    struct server *server = calloc(1, sizeof *server);
    int code;

    if (!server)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the server");
    code = open_exported(server, config, error);
    if (code == 0) {
        code = open_pool(server, config, error);
        if (code)
            exported_close(&server->exported);
    }
    if (code) {
        free(server);
        return code;
    }
    *result = server;
    return 0;
}

void server_close(struct server *server)
{
    if (!server)
        return;
    thread_pool_close(&server->pool);
    sockets_close(&server->pool.sockets);
    exported_close(&server->exported);
    free(server);
}

bool server_has_family(const struct server *server, int family)
{
    for (size_t i = 0; i < server->pool.sockets.count; i++) {
        struct sockaddr_storage address = {.ss_family = AF_UNSPEC};
        socklen_t length = sizeof address;

        getsockname(server->pool.sockets.list[i].fd, (struct sockaddr *)&address, &length);
        if (address.ss_family == family)
            return true;
    }
    return false;
}

uint16_t server_port(const struct server *server)
{
    return server->pool.sockets.port;
}

int server_run(struct server *server, const volatile sig_atomic_t *stop, struct error *error)
{
    return thread_pool_run(&server->pool, stop, error);
}

int server_end_call_log(struct server *server, struct error *error)
{
    FILE *log = server->exported.call_log;

    errno = EIO; /* the error to report if an earlier write has failed */
    if (!log || (fflush(log) == 0 && !ferror(log)))
        return 0;
    return error_set(error, ERROR_FAILED, -errno, "writing --call-log: %s", error_of_write(-errno));
}

bool server_take_service_time(struct server *server, unsigned number, struct service_time *sum)
{
    for (size_t i = 0; i < server->pool.count; i++) {
        struct service *service = &server->pool.threads[i]->service;

        if (!service->times)
            return false;
        pthread_mutex_lock(&service->times_lock);
        service_time_add(sum, &service->times[number]);
        memset(&service->times[number], 0, sizeof service->times[number]);
        pthread_mutex_unlock(&service->times_lock);
    }
    return true;
}

bool server_take_calls(struct server *server, unsigned number, uint32_t *flavor, uint64_t *calls)
{
    const struct mounts *mounts = &server->exported.mounts;

    if (number >= mounts->flavor_count)
        return false;
    *flavor = mounts->flavors[number];
    *calls = 0;
    for (size_t i = 0; i < server->pool.count; i++) {
        struct service *service = &server->pool.threads[i]->service;

        pthread_mutex_lock(&service->times_lock);
        *calls += service->calls[number];
        service->calls[number] = 0;
        pthread_mutex_unlock(&service->times_lock);
    }
    return true;
}

void server_inject_costs(struct server *server, bool on)
{
    atomic_store(&server->exported.without_costs, !on);
}
