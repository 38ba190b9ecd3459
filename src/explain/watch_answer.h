/* What `nfsbench watch` answers, as a line of JSON: that it watches, or why it can't; and after a
 * block the server's halves of its calls. */
#ifndef NFSBENCH_EXPLAIN_WATCH_ANSWER_H
#define NFSBENCH_EXPLAIN_WATCH_ANSWER_H

#include <stddef.h>

#include "explain/server_halves.h"

enum { WATCH_ANSWER_SIZE = 4 << 20 }; /* of a line: some 200 bytes for each half at most */

enum watch_answer_kind { WATCH_READY, WATCH_LACKING, WATCH_HALVES };

struct watch_answer {
    enum watch_answer_kind kind;
    char lacking[400]; /* of WATCH_LACKING */
    uint64_t events_lost;
    size_t count; /* of WATCH_HALVES */
    struct server_half halves[HALVES_MAXIMUM];
};

/* ANSWER as one line without its end; free() it. NULL without memory. */
char *watch_answer_to_json(const struct watch_answer *answer);

/* Read it back. 0, or -EBADMSG for anything else, numbers that are out of range and more than
 * HALVES_MAXIMUM halves included. */
int watch_answer_from_json(struct watch_answer *answer, const char *line);

#endif
