/* A server for a client's connections, which a script controls. The embedded server makes the
 * replies. The script decides which of them are lost, truncated, changed or invented.
 * There is no network: endpoint_connect() gives a socket pair, and the channel receives through its
 * watcher. Nothing waits: where the client would wait, the clock is moved on. */
#pragma once

#include <signal.h>

#include "engine/channel/channel.h"
#include "script.h"

/* Until hostile_end(), answer calls as SCRIPT says. Before some calls are answered, OTHERS acts on
 * the server as another user; WHAT selects the action. */
void hostile_begin(struct script *script, void (*others)(uint8_t what));
void hostile_end(void);

/* Return the options with which the client must open its channels. */
struct channel_options hostile_options(void);

/* Numbers since hostile_begin() of the network's faults (fault(), and refused connections), of the
 * server's lies, and of other users' actions. A test adds a lie for a step that may fail without
 * one. */
struct hostile_deeds {
    unsigned faults, lies, others;
};
extern struct hostile_deeds hostile_deeds;
