#include "security/gss_contexts.h"

#include <stdlib.h>

#include "common/random.h"
#include "common/system_clock.h"

void gss_contexts_open(struct gss_contexts *contexts)
{
    memset(contexts, 0, sizeof *contexts);
    pthread_mutex_init(&contexts->lock, NULL);
    /* a random start, so that names of an earlier server's contexts are not valid */
    contexts->made = random_system_seed();
}

static void free_context(struct gss_context *context)
{
    rpc_gss_delete(&context->security);
    pthread_mutex_destroy(&context->lock);
    free(context);
}

void gss_contexts_close(struct gss_contexts *contexts)
{
    for (size_t i = 0; i < GSS_CONTEXTS_MAXIMUM; i++)
        if (contexts->places[i])
            free_context(contexts->places[i]);
    pthread_mutex_destroy(&contexts->lock);
}

/* The callers of place_of(), drop_user(), clear() and find_place() hold the lock of CONTEXTS. */

static struct gss_context **place_of(struct gss_contexts *contexts, uint64_t name)
{
    return &contexts->places[name % GSS_CONTEXTS_MAXIMUM];
}

static void drop_user(struct gss_context *context)
{
    if (--context->users == 0)
        free_context(context);
}

static void clear(struct gss_context **place)
{
    drop_user(*place);
    *place = NULL;
}

/* Return the index of a free place. If there is none, drop the least recently used context. */
static size_t find_place(struct gss_contexts *contexts)
{
    size_t oldest = 0;

    for (size_t i = 0; i < GSS_CONTEXTS_MAXIMUM; i++) {
        if (!contexts->places[i])
            return i;
        if (contexts->places[i]->used_ns < contexts->places[oldest]->used_ns)
            oldest = i;
    }
    clear(&contexts->places[oldest]);
    return oldest;
}

struct gss_context *gss_contexts_add(struct gss_contexts *contexts, uint64_t lifetime_ns)
{
    struct gss_context *context = calloc(1, sizeof *context);
    size_t place;

    if (!context)
        return NULL;
    pthread_mutex_init(&context->lock, NULL);
    context->users = 2;
    context->used_ns = monotonic_coarse_ns();
    context->expires_ns = context->used_ns + lifetime_ns;
    pthread_mutex_lock(&contexts->lock);
    place = find_place(contexts);
    context->name = ++contexts->made * GSS_CONTEXTS_MAXIMUM + place;
    contexts->places[place] = context;
    pthread_mutex_unlock(&contexts->lock);
    return context;
}

struct gss_context *gss_contexts_find(struct gss_contexts *contexts, const uint8_t *name,
                                      size_t length)
{
    struct wire_reader reader = wire_reader(name, length);
    uint64_t number = wire_get_u64(&reader);
    struct gss_context *found;

    if (reader.failed || length != GSS_CONTEXT_HANDLE_SIZE)
        return NULL;
    pthread_mutex_lock(&contexts->lock);
    found = *place_of(contexts, number);
    if (found && found->name != number)
        found = NULL;
    if (found) {
        found->users++;
        found->used_ns = monotonic_coarse_ns();
    }
    pthread_mutex_unlock(&contexts->lock);
    return found;
}

void gss_contexts_release(struct gss_contexts *contexts, struct gss_context *context)
{
    if (!context)
        return;
    pthread_mutex_lock(&contexts->lock);
    drop_user(context);
    pthread_mutex_unlock(&contexts->lock);
}

void gss_contexts_forget(struct gss_contexts *contexts, struct gss_context *context)
{
    pthread_mutex_lock(&contexts->lock);
    if (*place_of(contexts, context->name) == context)
        clear(place_of(contexts, context->name));
    pthread_mutex_unlock(&contexts->lock);
}
