#include "engine/local.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ALIGNMENT = 4096 /* that O_DIRECT may need */ };

struct local {
    struct engine engine;
    struct channel_options channel;
    const struct clock *clock;
    uint8_t *buffer;
    size_t room;
    const struct local_call *holds; /* whose data are in the buffer; NULL: what was read */
};

static int local_open(struct engine **engine, const struct engine_config *config,
                      struct error *error)
{
    struct local *local = calloc(1, sizeof *local);

    if (!local)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for the engine");
    local->channel = config->channel;
    local->clock = config->clock;
    *engine = &local->engine;
    return 0;
}

static void local_close(struct engine *engine)
{
    free(((struct local *)engine)->buffer);
    free(engine);
}

/* Make room for what CALL moves, with its data if it writes. */
static int fill_buffer(struct local *local, const struct local_call *call, struct error *error)
{
    if (local->room < call->size) {
        size_t room = (call->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

        free(local->buffer);
        local->buffer = aligned_alloc(ALIGNMENT, room);
        local->room = local->buffer ? room : 0;
        local->holds = NULL;
    }
    if (local->room < call->size)
        return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a call");
    if (call->kind == LOCAL_WRITE && local->holds != call)
        memcpy(local->buffer, call->data, call->size);
    local->holds = call->kind == LOCAL_WRITE ? call : NULL;
    return 0;
}

/* Returns 0 or an errno; EIO for fewer bytes than were wanted. */
static int make(const struct local *local, const struct local_call *call,
                const struct engine_place *place)
{
    int fd = call->files->descriptors[place ? place->object : 0];
    off_t offset = (off_t)(place ? place->offset : call->offset);
    const struct iovec data = {.iov_base = local->buffer, .iov_len = call->size};
    ssize_t moved;

    if (call->kind == LOCAL_COMMIT)
        return fsync(fd) == 0 ? 0 : errno;
    moved = call->kind == LOCAL_READ ? pread(fd, local->buffer, call->size, offset)
                                     : pwritev2(fd, &data, 1, offset, call->flags);
    if (moved < 0)
        return errno;
    return (size_t)moved == call->size ? 0 : EIO;
}

static int local_run(struct engine *engine, const struct engine_call *call, struct block *block,
                     struct engine_tally *tally, struct error *error)
{
    struct local *local = (struct local *)engine;
    int code = fill_buffer(local, call->local, error);

    for (size_t i = 0; i < block->count && code == 0; i++) {
        const struct engine_place *place = engine_place(call, call->first + i);
        uint64_t started = local->clock->start();
        int failed = make(local, call->local, place);

        block->ticks[block->recorded] = local->clock->stop() - started;
        block->recorded += failed == 0;
        if (failed)
            engine_note_error(tally, ENGINE_SYSTEM_ERROR + failed);
        if (deadline_is_stopped(&local->channel.deadline))
            code = error_set(error, ERROR_FAILED, -EINTR, "interrupted");
    }
    return code;
}

const struct engine_type engine_local = {
    .name = "local",
    .open = local_open,
    .run = local_run,
    .close = local_close,
};
