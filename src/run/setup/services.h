/* Finds the services that a host offers to NFS clients (output/result/services.h). */
#pragma once

#include "output/result/services.h"
#include "target/mount.h"

/* Ask the port mapper of TARGET's host for the services, MOUNT for the exports, and NFS and MOUNT
 * for their versions if the port mapper does not list these. Returns 0, or a negative errno with
 * ERROR set if the host is unknown, nothing answers, or a signal came. Release SERVICES with
 * services_free() in either case. */
int services_find(struct services *services, const struct target *target,
                  const struct mount_options *options, struct error *error);
