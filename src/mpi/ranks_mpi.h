/* Ranks over MPI. Only this module uses MPI: after the start, messages to and from rank 0, with
 * limited waits. */
#pragma once

#include "mpi/ranks_merge.h"
#include "run/ranks.h"

/* Join the other ranks that mpirun or another launcher started. Without a launcher there is one
 * rank. Returns 0, or in all ranks -EINVAL with ERROR set if their builds differ. *RANKS is set in
 * both cases. */
int ranks_mpi_open(struct ranks **ranks, struct error *error);

/* Send this rank's message OWN, which may be empty, to rank 0. The data of OWN then belong to
 * RANKS. In rank 0, *PARTS is set to the messages of all ranks, valid until ranks_mpi_close().
 * Returns 0, or a negative errno with ERROR set. */
int ranks_mpi_gather(struct ranks *ranks, struct ranks_message own,
                     const struct ranks_message **parts, struct error *error);

/* Leave the other ranks, and free RANKS. If a rank has not responded, the program exits here with
 * STATUS, and mpirun ends the other ranks. */
void ranks_mpi_close(struct ranks *ranks, int status);
