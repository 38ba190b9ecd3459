/* Set-up for a target that is a directory or a file on a mount of the kernel's NFS client: what is
 * mounted there, the process that makes the calls, and the scratch directory, or the file, which is
 * only read. */
#pragma once

#include "run/setup/setup.h"

/* Start the process, and fill in SETUP's mount and the paths of its objects. Returns 0; -ENODEV
 * with ERROR set (ERROR_USAGE) if the target is not on an NFSv3 mount; or another negative errno.
 */
int mounted_setup_open(struct setup *setup, const struct clock *clock, struct error *error);

/* Remove the scratch directory, with a warning if it can't be removed, and end the process. */
void mounted_setup_close(struct setup *setup);

/* What has happened to SETUP's mount since, as a clause: "its options have changed"; NULL: nothing
 * that can be seen. */
const char *mounted_setup_change(const struct setup *setup);

/* The flavor of the calls of a mount, by its option sec= in INFO. */
uint32_t mounted_flavor(const struct mountinfo *info);

/* Set TARGET to the server, export and path of SETUP's mount, as its options say. For Kerberos the
 * server has the name by which it was mounted, which its key has, too; otherwise its address. */
void mounted_setup_target(const struct setup *setup, struct target *target);

/* Set WHAT to what the file system with MAGIC (statfs(2)) on a mount is, for messages: "NFSv4.2",
 * "ext4". Returns whether it is NFSv3. */
bool mounted_is_nfs3(const struct mountinfo *info, char *what, size_t size);
