/* A server for a client's connections, which a script controls. The embedded server makes the
 * replies. The script decides which of them are lost, truncated, changed or invented.
 * There is no network: endpoint_connect() gives a socket pair, and the channel receives through its
 * watcher. Nothing waits: where the client would wait, the clock is moved on. */
#pragma once

#include <signal.h>

#include "engine/channel/channel.h"
#include "script.h"

/* Answer calls as SCRIPT says, which is read as calls arrive, until hostile_end(). Before some
 * calls are answered, OTHERS acts on the server as another user, in the way that WHAT selects. */
void hostile_begin(struct script *script, void (*others)(uint8_t what));
void hostile_end(void);

/* Return the options to open the client's channels with. */
struct channel_options hostile_options(void);

/* Counts so far: faults of the network (loss, delay, pieces), lies of the server, and actions of
 * other users. */
struct hostile_deeds {
    unsigned faults, lies, others;
};
extern struct hostile_deeds hostile_deeds;
