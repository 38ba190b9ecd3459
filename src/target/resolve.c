/* Looks up a host's addresses. If no name server answers, getaddrinfo() takes half a minute or more
 * (resolv.conf(5): 5 s for each of three servers, twice, for each search domain) and can't be
 * interrupted. So it runs in a separate thread, which may end after the deadline. */
#include <errno.h>
#include <netdb.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/system_clock.h"
#include "common/thread.h"
#include "target/target.h"

struct lookup {
    char host[TARGET_HOST_SIZE];
    struct addrinfo *addresses; /* valid if CODE is 0 */
    atomic_int code;            /* result of getaddrinfo(); EAI_INPROGRESS until it returns */
    sem_t over;
    /* number of users of this struct (the thread and its caller); the last user frees it */
    atomic_uint holders;
};

static void release_lookup(struct lookup *lookup)
{
    if (atomic_fetch_sub(&lookup->holders, 1) > 1)
        return;
    if (lookup->addresses)
        freeaddrinfo(lookup->addresses);
    sem_destroy(&lookup->over);
    free(lookup);
}

static int call_getaddrinfo(const char *host, int flags, struct addrinfo **addresses)
{
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = flags};

    return getaddrinfo(host, NULL, &hints, addresses);
}

static void *run_lookup(void *context)
{
    struct lookup *lookup = context;

    atomic_store(&lookup->code, call_getaddrinfo(lookup->host, 0, &lookup->addresses));
    sem_post(&lookup->over);
    release_lookup(lookup);
    return NULL;
}

static bool await_lookup(struct lookup *lookup, const struct deadline *deadline)
{
    enum { LOOK_NS = 50 * 1000 * 1000 };

    do {
        uint64_t look = deadline_at_most(deadline, LOOK_NS);
        const struct timespec until = monotonic_after(look);

        if (sem_clockwait(&lookup->over, CLOCK_MONOTONIC, &until) == 0)
            return true;
    } while (!deadline_is_over(deadline));
    return false;
}

/* Look up HOST. Returns a code of getaddrinfo(), or EAI_INPROGRESS after DEADLINE or a signal. */
static int look_up(const char *host, const struct deadline *deadline, struct addrinfo **addresses)
{
    struct lookup *lookup = calloc(1, sizeof *lookup);
    int code = EAI_INPROGRESS;
    pthread_t thread;

    if (!lookup)
        return EAI_MEMORY;
    strcpy(lookup->host, host);
    atomic_init(&lookup->code, EAI_INPROGRESS);
    sem_init(&lookup->over, 0, 0);
    atomic_init(&lookup->holders, 2);
    if (thread_start_without_signals(&thread, run_lookup, lookup) != 0) {
        atomic_store(&lookup->holders, 1);
        release_lookup(lookup);
        return EAI_AGAIN;
    }
    pthread_detach(thread);
    if (await_lookup(lookup, deadline)) {
        code = atomic_load(&lookup->code);
        *addresses = lookup->addresses;
        lookup->addresses = NULL;
    }
    release_lookup(lookup);
    return code;
}

int target_resolve(const struct target *target, const struct deadline *deadline,
                   struct addrinfo **addresses, struct error *error)
{
    int code =
        call_getaddrinfo(target->host, AI_NUMERICHOST, addresses); /* only numeric addresses */

    if (code)
        code = look_up(target->host, deadline, addresses);
    if (code == EAI_INPROGRESS)
        return deadline_is_stopped(deadline)
                   ? error_set(error, ERROR_FAILED, -EINTR,
                               "interrupted while looking up the host '%.200s'", target->host)
                   : error_set(error, ERROR_UNREACHABLE, -ETIMEDOUT,
                               "looking up the host '%.200s': no name server has answered yet; see "
                               "/etc/resolv.conf, or give the host's address",
                               target->host);
    if (code)
        return error_set(error, ERROR_UNREACHABLE, -EHOSTUNREACH,
                         "looking up the host '%.200s': %s; is the name right?", target->host,
                         gai_strerror(code));
    return 0;
}
