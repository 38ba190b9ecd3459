/* A server of a client's connections that a script controls: the embedded server, whose replies are
 * lost, truncated, changed or invented as the script says, and else sent unchanged. There is no
 * network: endpoint_connect() gives a socket pair, and the channel receives through its watcher.
 * Nothing waits: where the client would wait, the clock is moved on. */
#pragma once

#include <signal.h>

#include "engine/channel/channel.h"
#include "script.h"

/* Use SCRIPT, which is read as calls arrive, until hostile_end(). Where the script says so, OTHERS
 * is called before a call is answered: another user acts on the server, and WHAT says how. */
void hostile_begin(struct script *script, void (*others)(uint8_t what));
void hostile_end(void);

/* Return the options to open the client's channels with. */
struct channel_options hostile_options(void);

/* Counts so far: faults are what any network may do (loss, delay, pieces), lies are what only a
 * server does, others are what other users did. */
struct hostile_deeds {
    unsigned faults, lies, others;
};
extern struct hostile_deeds hostile_deeds;
