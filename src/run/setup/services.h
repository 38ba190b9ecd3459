/* Finding out what a host offers to NFS clients (output/result/services.h). */
#pragma once

#include "output/result/services.h"
#include "target/mount.h"

/* Ask TARGET's host: its port mapper for the registered services, NFS and MOUNT for their versions
 * if the port mapper does not name them, and MOUNT for the exports (EXPORT). 0, or a negative errno
 * with ERROR set if nothing answers. Release it with services_free(), after an error, too. */
int services_find(struct services *services, const struct target *target,
                  const struct mount_options *options, struct error *error);
