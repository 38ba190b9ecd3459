/* The other end of a client's connections, controlled by a script: the embedded server, whose
 * replies are lost, truncated, changed or invented as the script says; where it says nothing, they
 * are unchanged. There is no network: endpoint_connect() gives a socket pair, and the channel
 * receives through its watcher. Nothing waits: time passes where the client would wait. */
#pragma once

#include <signal.h>

#include "engine/channel/channel.h"
#include "script.h"

/* Begin, until hostile_end(). SCRIPT is read as calls arrive. Where it says so, OTHERS is called
 * before a call is answered, with a byte that says what another user does on the server. */
void hostile_begin(struct script *script, void (*others)(uint8_t what));
void hostile_end(void);

/* The options to open the client's channels with. */
struct channel_options hostile_options(void);

/* So far: what a network may do to anyone (loss, delay, pieces), what only a server does, and what
 * other users did. */
struct hostile_deeds {
    unsigned faults, lies, others;
};
extern struct hostile_deeds hostile_deeds;
