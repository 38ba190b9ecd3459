#include "engine/local.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Alignment, in bytes, that O_DIRECT may need. */
enum { ALIGNMENT = 4096 };

/* Memory that calls of one kind read into or write from. */
struct buffer {
    uint8_t *bytes;
    size_t room;
    const uint8_t *data; /* data to write; NULL: BYTES is only read into */
    size_t copied;       /* number of bytes of DATA that are in BYTES */
};

struct local {
    struct engine engine;
    struct channel_options channel;
    const struct clock *clock;
    struct buffer buffers[LOCAL_KINDS];
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
    struct local *local = (struct local *)engine;

    for (size_t i = 0; i < LOCAL_KINDS; i++)
        free(local->buffers[i].bytes);
    free(engine);
}

static int fill_buffer(struct buffer *buffer, const struct local_call *call, struct error *error)
{
    if (buffer->room < call->size) {
        size_t room = (call->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

        free(buffer->bytes);
        *buffer = (struct buffer){.bytes = aligned_alloc(ALIGNMENT, room)};
        if (!buffer->bytes)
            return error_set(error, ERROR_FAILED, -ENOMEM, "out of memory for a call");
        buffer->room = room;
    }
    if (call->kind == LOCAL_WRITE && (buffer->data != call->data || buffer->copied < call->size)) {
        memcpy(buffer->bytes, call->data, call->size);
        buffer->copied = call->size;
    }
    buffer->data = call->data;
    return 0;
}

/* Make one system call. Returns 0 or an errno; EIO for a partial read or write. */
static int make_system_call(const struct local_call *call, uint8_t *bytes,
                            const struct engine_place *place)
{
    int fd = call->files->descriptors[place ? place->object : 0];
    off_t offset = (off_t)(place ? place->offset : call->offset);
    const struct iovec data = {.iov_base = bytes, .iov_len = call->size};
    ssize_t moved;

    if (call->kind == LOCAL_COMMIT)
        return fsync(fd) == 0 ? 0 : errno;
    moved = call->kind == LOCAL_READ ? pread(fd, bytes, call->size, offset)
                                     : pwritev2(fd, &data, 1, offset, call->flags);
    if (moved < 0)
        return errno;
    return (size_t)moved == call->size ? 0 : EIO;
}

static int time_call(struct local *local, const struct engine_call *all, size_t number,
                     struct block *block, struct engine_tally *tally, struct error *error)
{
    const struct local_call *call =
        all->local->parts ? &all->local->parts[all->local->order[number]] : all->local;
    struct buffer *buffer = &local->buffers[call->kind];
    uint64_t started;
    int failed, code = fill_buffer(buffer, call, error);

    if (code)
        return code;
    started = local->clock->start();
    failed = make_system_call(call, buffer->bytes, engine_place(all, number));
    block->ticks[block->recorded] = local->clock->stop() - started;
    block->recorded += failed == 0;
    if (failed)
        engine_note_error(tally, ENGINE_SYSTEM_ERROR + failed);
    return 0;
}

static int local_run(struct engine *engine, const struct engine_call *call, struct block *block,
                     struct engine_tally *tally, struct error *error)
{
    struct local *local = (struct local *)engine;
    int code = 0;

    for (size_t i = 0; i < block->count && code == 0; i++) {
        code = time_call(local, call, call->first + i, block, tally, error);
        if (code == 0 && deadline_is_stopped(&local->channel.deadline))
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
