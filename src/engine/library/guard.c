#include "engine/library/guard.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rpc/message.h"
#include "rpc/wire.h"

static _Thread_local struct guard *guarding; /* guard of this thread; NULL: none */

void guard_begin(struct guard *guard)
{
    guarding = guard;
}

void guard_end(void)
{
    guarding = NULL;
}

static void begin_record(struct guard *guard)
{
    free(guard->joined);
    guard->joined = NULL;
    guard->joined_length = guard->total = guard->marks = guard->mark_filled = 0;
}

void guard_reset(struct guard *guard)
{
    begin_record(guard);
    guard->code = 0;
}

static uint32_t u32_of(const uint8_t bytes[4])
{
    struct wire_reader reader = wire_reader(bytes, 4);

    return wire_get_u32(&reader);
}

static int check_message(struct guard *guard, const uint8_t *bytes, size_t length)
{
    int code = guard->check ? guard->check(guard->context, bytes, length) : 0;

    guard->length = length;
    guard->good += code == 0;
    return code;
}

static int join_fragment(struct guard *guard)
{
    uint8_t *joined = realloc(guard->joined, guard->joined_length + guard->filled + 1);

    if (!joined)
        return -ENOMEM;
    if (guard->filled > 0)
        memcpy(joined + guard->joined_length, guard->bytes, guard->filled);
    guard->joined = joined;
    guard->joined_length += guard->filled;
    return 0;
}

static int end_fragment(struct guard *guard)
{
    bool last = u32_of(guard->mark) & RPC_LAST_FRAGMENT;
    int code = 0;

    guard->mark_filled = 0;
    if (guard->check && (!last || guard->joined))
        code = join_fragment(guard);
    if (code || !last)
        return code;
    code = guard->joined ? check_message(guard, guard->joined, guard->joined_length)
                         : check_message(guard, guard->bytes, guard->total);
    if (code == 0)
        begin_record(guard);
    return code;
}

/* Take up to LENGTH BYTES of a record mark. Returns how many were taken, or a negative errno. */
static ssize_t take_mark(struct guard *guard, const uint8_t *bytes, size_t length)
{
    size_t missing = sizeof guard->mark - guard->mark_filled;
    size_t taken = length < missing ? length : missing;
    int code = 0;

    memcpy(guard->mark + guard->mark_filled, bytes, taken);
    guard->mark_filled += taken;
    if (guard->mark_filled < sizeof guard->mark)
        return (ssize_t)taken;
    guard->filled = 0;
    guard->bytes = bytes + taken;
    guard->wanted = u32_of(guard->mark) & ~RPC_LAST_FRAGMENT;
    if (++guard->marks > guard->maximum || guard->wanted > guard->maximum - guard->total)
        return -EMSGSIZE;
    if (guard->wanted == 0)
        code = end_fragment(guard);
    return code ? code : (ssize_t)taken;
}

static void take_xid(struct guard *guard, const uint8_t *bytes, size_t length)
{
    for (size_t i = guard->total; i < sizeof guard->xid && length > 0; i++, length--)
        guard->xid[i] = *bytes++;
}

/* Take up to LENGTH BYTES of a fragment's content. Returns how many were taken, or a negative
 * errno. */
static ssize_t take_content(struct guard *guard, const uint8_t *bytes, size_t length)
{
    size_t missing = guard->wanted - guard->filled;
    size_t taken = length < missing ? length : missing;
    bool had_xid = guard->total >= sizeof guard->xid;
    int code;

    if (guard->filled == 0)
        guard->bytes = bytes;
    if (guard->check && guard->bytes + guard->filled != bytes)
        return -ENOTSUP;
    take_xid(guard, bytes, taken);
    guard->filled += taken;
    guard->total += taken;
    if (!had_xid && guard->total >= sizeof guard->xid)
        guard->note(guard->context, u32_of(guard->xid));
    code = guard->filled == guard->wanted ? end_fragment(guard) : 0;
    return code ? code : (ssize_t)taken;
}

static int take_stream(struct guard *guard, const uint8_t *bytes, size_t length)
{
    while (length > 0) {
        ssize_t taken = guard->mark_filled < sizeof guard->mark
                            ? take_mark(guard, bytes, length)
                            : take_content(guard, bytes, length);

        if (taken < 0)
            return (int)taken;
        bytes += taken;
        length -= (size_t)taken;
    }
    return 0;
}

static int take_datagram(struct guard *guard, const uint8_t *bytes, size_t length)
{
    if (length > guard->maximum)
        return -EMSGSIZE;
    if (length >= sizeof guard->xid)
        guard->note(guard->context, u32_of(bytes));
    return check_message(guard, bytes, length);
}

/* If this thread has a guard, check BYTES, of which GOT bytes were received (-1: receiving
 * failed). Returns GOT. Once a message was bad, returns -1 with errno EBADMSG. */
static ssize_t check_received(const void *bytes, ssize_t got)
{
    struct guard *guard = guarding;

    if (!guard || (got <= 0 && guard->code == 0))
        return got;
    if (guard->code == 0)
        guard->code = guard->datagrams ? take_datagram(guard, bytes, (size_t)got)
                                       : take_stream(guard, bytes, (size_t)got);
    if (guard->code == 0)
        return got;
    errno = EBADMSG;
    return -1;
}

/* Functions that replace the C library's (or a sanitizer's). The original functions are looked up
 * at the first call, because libraries may receive data before constructors run. */

static void *look_up(_Atomic(void *) *next, const char *name)
{
    void *found = atomic_load_explicit(next, memory_order_relaxed);

    if (!found) {
        found = dlsym(RTLD_NEXT, name);
        atomic_store_explicit(next, found, memory_order_relaxed);
    }
    return found;
}

#define NEXT(name)                                                                                 \
    ({                                                                                             \
        static _Atomic(void *) next;                                                               \
        (typeof(name) *)look_up(&next, #name);                                                     \
    })

#define REPLACES __attribute__((visibility("default")))

REPLACES ssize_t recv(int fd, void *bytes, size_t room, int flags)
{
    return check_received(bytes, NEXT(recv)(fd, bytes, room, flags));
}

REPLACES ssize_t read(int fd, void *bytes, size_t room)
{
    return check_received(bytes, NEXT(read)(fd, bytes, room));
}

REPLACES ssize_t recvfrom(int fd, void *restrict bytes, size_t room, int flags,
                          struct sockaddr *restrict address, socklen_t *restrict length)
{
    return check_received(bytes, NEXT(recvfrom)(fd, bytes, room, flags, address, length));
}
