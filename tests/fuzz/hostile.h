/* The other end of a client's connections, played by a script: the embedded server, whose replies
 * are lost, cut, changed or made up as the script says; where it says nothing, they are its own.
 * There is no network: endpoint_connect() gives a socket pair, and the channel receives through its
 * watcher. There is no waiting: time passes where somebody waits. */
#ifndef NFSBENCH_FUZZ_HOSTILE_H
#define NFSBENCH_FUZZ_HOSTILE_H

#include <signal.h>

#include "engine/channel.h"
#include "script.h"

/* Begin, until hostile_end(). SCRIPT is read as calls come. Where it says so, another user does
 * something on the server before a call is answered: OTHERS, with a byte that says what. */
void hostile_begin(struct script *script, void (*others)(uint8_t what));
void hostile_end(void);

/* What the client's channels are to be opened with. */
struct channel_options hostile_options(void);

/* So far: what a network may do to anybody (loss, delay, pieces), what only a server does, and what
 * other users did. */
struct hostile_deeds {
    unsigned faults, lies, others;
};
extern struct hostile_deeds hostile_deeds;

#endif
