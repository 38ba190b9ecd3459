/* What users may do with a file whose mode permits its owner alone to use it. */
#ifndef NFSBENCH_CHARACTER_USERS_H
#define NFSBENCH_CHARACTER_USERS_H

#include "character/character.h"
#include "character/link.h"

enum { USERS_OTHERS_READ, USERS_OTHERS_WRITE, USERS_ROOTS_READ, USERS_TRIALS = 5 };

struct users {
    bool known;
    uint32_t owner;             /* of a file that the run's user makes */
    int statuses[USERS_TRIALS]; /* nfsstat3, or minus an enum rpc_outcome */
};

/* Find out over LINK, and add to ANSWER what each may do. Returns 0, also where it is not known, or
 * a negative errno with ERROR set. */
int users_try(struct users *users, struct link *link, struct character_answer *answer,
              struct error *error);

/* May users other than the owner, or root, whatever its mode says? The run's user is UID. */
bool users_others_may(const struct users *users);
bool users_root_may(const struct users *users, uint32_t uid);

#endif
