/* The table of system calls. The RPCs of each system call were observed on Linux 6.1, and each run
 * checks them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "common/deadline.h"
#include "common/mountinfo.h"
#include "engine/mounted/operation.h"
#include "engine/mounted/operation_data.h"
#include "nfs3.h" /* procedure numbers */

static int result_of(long result)
{
    return result < 0 ? -errno : 0;
}

/* Choose two names that were never used, so that the client has nothing cached about them. */
static int choose_name(struct operation_objects *objects, size_t number)
{
    uint64_t serial = objects->serial++;

    snprintf(objects->names[number], OPERATION_NAME_SIZE, "name-%010llu",
             (unsigned long long)serial);
    snprintf(objects->new_names[number], OPERATION_NAME_SIZE, "new-%010llu",
             (unsigned long long)serial);
    return 0;
}

/* Return 0 if NAME does not exist; the client then remembers that NAME is absent. Return -EEXIST if
 * NAME exists, or another negative errno. */
static int look_up_absent(const struct operation_objects *objects, const char *name)
{
    struct statx status;
    int code =
        result_of(statx(objects->scratch, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &status));

    return code == -ENOENT ? 0 : code ? code : -EEXIST;
}

/* LOOKUP of an absent name, of which the client knows nothing. The client can then create the name
 * without another LOOKUP. */
static int make_lookup(struct operation_objects *objects, size_t number)
{
    return look_up_absent(objects, objects->names[number]);
}

static int open_name(struct operation_objects *objects, size_t number, int flags)
{
    objects->files[number] =
        openat(objects->scratch, objects->names[number], flags | O_CLOEXEC, 0600);
    return result_of(objects->files[number]);
}

static int make_create(struct operation_objects *objects, size_t number)
{
    return open_name(objects, number, O_CREAT | O_WRONLY);
}

static int close_file(struct operation_objects *objects, size_t number)
{
    int fd = objects->files[number];

    objects->files[number] = -1;
    return fd < 0 ? 0 : result_of(close(fd));
}

static int make_mkdir(struct operation_objects *objects, size_t number)
{
    return result_of(mkdirat(objects->scratch, objects->names[number], 0700));
}

static int remove_name(struct operation_objects *objects, size_t number)
{
    return result_of(unlinkat(objects->scratch, objects->names[number], 0));
}

static int remove_directory(struct operation_objects *objects, size_t number)
{
    return result_of(unlinkat(objects->scratch, objects->names[number], AT_REMOVEDIR));
}

static int remove_new_name(struct operation_objects *objects, size_t number)
{
    return result_of(unlinkat(objects->scratch, objects->new_names[number], 0));
}

/* Get attributes: by GETATTR with AT_STATX_FORCE_SYNC, from the cache with AT_STATX_DONT_SYNC. */

static int get_attributes(const struct operation_objects *objects, int flags)
{
    struct statx status;

    return result_of(statx(objects->target, "", AT_EMPTY_PATH | flags, STATX_BASIC_STATS, &status));
}

static int make_getattr(struct operation_objects *objects, size_t number)
{
    return get_attributes(objects, AT_STATX_FORCE_SYNC);
}

static int make_cached(struct operation_objects *objects, size_t number)
{
    return get_attributes(objects, AT_STATX_DONT_SYNC);
}

/* SETATTR. Each call sets a different time. */

static int make_setattr(struct operation_objects *objects, size_t number)
{
    const struct timespec times[] = {{.tv_nsec = UTIME_OMIT},
                                     {.tv_sec = (time_t)objects->offsets[number]}};

    return result_of(futimens(objects->data, times));
}

static int choose_time(struct operation_objects *objects, size_t number)
{
    objects->offsets[number] = 1000000000 + objects->serial++ % 1000000000;
    return 0;
}

/* For ACCESS, open a file whose rights the client has not asked for. For READLINK, open a link. */

static int open_path(struct operation_objects *objects, size_t number)
{
    return open_name(objects, number, O_PATH | O_NOFOLLOW);
}

static int make_access(struct operation_objects *objects, size_t number)
{
    return result_of(faccessat(objects->files[number], "", R_OK, AT_EMPTY_PATH));
}

/* Draw the offset of a READ or WRITE from PLACES offsets. */

static int draw_offset(struct operation_objects *objects, size_t number, uint64_t places)
{
    objects->offsets[number] = random_below_64(&objects->random, places) * objects->size;
    return 0;
}

static int choose_offset(struct operation_objects *objects, size_t number)
{
    return draw_offset(objects, number, objects->places);
}

static int choose_cached_offset(struct operation_objects *objects, size_t number)
{
    return draw_offset(objects, number, objects->cached_places);
}

/* Verified WRITEs use all offsets in turn. So a block of OPERATION_FILE_SIZES calls writes no
 * offset twice, and each WRITE can be read back. */
static int choose_write_offset(struct operation_objects *objects, size_t number)
{
    if (!objects->verify)
        return choose_offset(objects, number);
    objects->offsets[number] = number % objects->places * objects->size;
    return 0;
}

/* Ask the server for the attributes, because pages in the page cache are valid only while the
 * attributes are valid. */
static int refresh_attributes(struct operation_objects *objects, size_t count)
{
    struct statx status;

    return result_of(statx(objects->cached, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC,
                           STATX_BASIC_STATS, &status));
}

static int moved_all(const struct operation_objects *objects, ssize_t moved)
{
    if (moved < 0)
        return -errno;
    return (size_t)moved == objects->size ? 0 : -EIO;
}

static int make_read(struct operation_objects *objects, size_t number)
{
    return moved_all(objects, pread(objects->data, objects->buffer, objects->size,
                                    (off_t)objects->offsets[number]));
}

static int make_read_cached(struct operation_objects *objects, size_t number)
{
    return moved_all(objects, pread(objects->cached, objects->buffer, objects->size,
                                    (off_t)objects->offsets[number]));
}

/* Return 0 if the first SIZE bytes of the buffer equal STAMP's data from offset FROM on, otherwise
 * -OPERATION_DATA_MISMATCH. If STAMP is 0, accept any data. Zero the bytes afterwards, so that they
 * are not taken for data of the next READ. */
static int check_data(struct operation_objects *objects, size_t from, size_t size, uint64_t stamp)
{
    bool same = stamp == 0 || operation_data_is(objects->buffer, from, size, stamp);

    memset(objects->buffer, 0, size);
    return same ? 0 : -OPERATION_DATA_MISMATCH;
}

static uint64_t place_of(const struct operation_objects *objects, size_t number)
{
    return objects->offsets[number] / objects->size;
}

static int check_read(struct operation_objects *objects, size_t number)
{
    return check_data(objects, 0, objects->size, objects->stamps[place_of(objects, number)]);
}

static int check_read_cached(struct operation_objects *objects, size_t number)
{
    return check_data(objects, 0, objects->size, operation_first_stamp(place_of(objects, number)));
}

/* READ of the last byte of a file through the page cache, after the byte's page was dropped. The
 * client sends a single READ, for this page, because there is nothing to read ahead. */

static off_t last_byte(const struct operation_objects *objects)
{
    return (off_t)objects->length - 1;
}

static void drop_last_page(struct operation_objects *objects, size_t number)
{
    const off_t page = 4096;

    posix_fadvise(objects->cached, last_byte(objects) / page * page, 0, POSIX_FADV_DONTNEED);
}

static int make_read_last_byte(struct operation_objects *objects, size_t number)
{
    ssize_t moved = pread(objects->cached, objects->buffer, 1, last_byte(objects));

    return moved < 0 ? -errno : moved == 1 ? 0 : -EIO;
}

static int check_last_byte(struct operation_objects *objects, size_t number)
{
    return check_data(objects, objects->size - 1, 1,
                      operation_first_stamp(OPERATION_FILE_SIZES - 1));
}

/* WRITE. Because the file has O_DSYNC, the WRITE is stable, and no COMMIT follows. */
static int make_write(struct operation_objects *objects, size_t number)
{
    return moved_all(objects, pwrite(objects->data, objects->buffer, objects->size,
                                     (off_t)objects->offsets[number]));
}

/* For verification, change the data for each call. Until the WRITE has succeeded, the file's
 * contents at the WRITE's offset are unknown. */
static void renew_data(struct operation_objects *objects, size_t number)
{
    if (!objects->verify)
        return;
    operation_data_fill(objects->buffer, objects->size, ++objects->stamp);
    objects->stamps[place_of(objects, number)] = 0;
}

static int note_written(struct operation_objects *objects, size_t number)
{
    objects->stamps[place_of(objects, number)] = objects->stamp;
    return 0;
}

static int read_back(struct operation_objects *objects, size_t number)
{
    int code = objects->verify ? make_read(objects, number) : 0;

    return code || !objects->verify ? code : check_read(objects, number);
}

/* COMMIT. Each call needs a file with written but unstable data. The mount must have write=eager:
 * without it, the client sends COMMIT as soon as the WRITEs are answered, not in fdatasync(). */

static int write_data(struct operation_objects *objects, size_t number)
{
    int fd = objects->files[number];
    int code = moved_all(objects, pwrite(fd, objects->buffer, objects->size, 0));

    return code ? code
                : result_of(sync_file_range(fd, 0, 0,
                                            SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER));
}

static int make_commit(struct operation_objects *objects, size_t number)
{
    return result_of(fdatasync(objects->files[number]));
}

static int make_symlink(struct operation_objects *objects, size_t number)
{
    return result_of(symlinkat("data", objects->scratch, objects->names[number]));
}

static int make_mknod(struct operation_objects *objects, size_t number)
{
    return result_of(mknodat(objects->scratch, objects->names[number], S_IFIFO | 0600, 0));
}

static int make_rename(struct operation_objects *objects, size_t number)
{
    return result_of(renameat(objects->scratch, objects->names[number], objects->scratch,
                              objects->new_names[number]));
}

/* Ask for the rights before the timed call, because with fs.protected_hardlinks, linkat() asks for
 * unknown rights. */
static int ask_for_rights(struct operation_objects *objects, size_t number)
{
    return result_of(faccessat(objects->scratch, objects->names[number], R_OK | W_OK, 0));
}

static int make_link(struct operation_objects *objects, size_t number)
{
    return result_of(linkat(objects->scratch, objects->names[number], objects->scratch,
                            objects->new_names[number], 0));
}

/* READLINK. A client that makes a symbolic link caches its text. A second hard link makes the
 * client drop the text, because the server then reports a change of the link. The pause is longer
 * than the resolution of most servers' timestamps. */

static int add_second_names(struct operation_objects *objects, size_t count)
{
    enum { PAUSE_NS = 20 * 1000 * 1000 };
    int code = 0;

    deadline_pause(PAUSE_NS);
    for (size_t i = 0; i < count && code == 0; i++)
        code = make_link(objects, i);
    return code;
}

static int make_readlink(struct operation_objects *objects, size_t number)
{
    char text[OPERATION_NAME_SIZE];

    return result_of(readlinkat(objects->files[number], "", text, sizeof text));
}

/* READDIRPLUS (or READDIR, by the mount's options) of a new, empty directory, by one RPC. */

static int open_directory(struct operation_objects *objects, size_t number)
{
    return open_name(objects, number, O_RDONLY | O_DIRECTORY);
}

static int make_readdir(struct operation_objects *objects, size_t number)
{
    char entries[4096];

    return result_of(getdents64(objects->files[number], entries, sizeof entries));
}

/* Calls with two RPCs. Opening a file checks whether it has changed (GETATTR, close-to-open
 * consistency) and, the first time, asks for the rights (ACCESS). */

static int make_open(struct operation_objects *objects, size_t number)
{
    return open_name(objects, number, O_RDONLY);
}

/* A call with two RPCs for a name in a new directory: ACCESS of the directory and LOOKUP. */

static int choose_name_below(struct operation_objects *objects, size_t number)
{
    char *name = objects->new_names[number];

    strcpy(name, objects->names[number]);
    strcat(name, "/absent");
    return 0;
}

static int make_stat_new(struct operation_objects *objects, size_t number)
{
    return look_up_absent(objects, objects->new_names[number]);
}

/* An exclusive CREATE can't set attributes, so a SETATTR follows. */
static int make_create_new(struct operation_objects *objects, size_t number)
{
    return open_name(objects, number, O_CREAT | O_EXCL | O_WRONLY);
}

/* Without the mount option write=eager, the data are sent when the file is closed: by one stable
 * WRITE, which needs no COMMIT. */
static int make_create_close(struct operation_objects *objects, size_t number)
{
    int code = make_create(objects, number), closed;

    if (code)
        return code;
    code = result_of(write(objects->files[number], objects->buffer, 1));
    closed = close_file(objects, number);
    return code ? code : closed;
}

/* FSINFO: Linux 5.16 and newer ask for the server's limits when a mount is reconfigured, here
 * without a change. One fspick(2) serves all calls of a block, and its descriptor is stored as the
 * file of call 0. */

/* Return the mount of FD, an open file or directory; 0: unknown. */
static uint64_t mount_of(int fd)
{
    struct statx status;

    return statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &status) == 0 ? status.stx_mnt_id : 0;
}

/* Pick the target's mount. If another file system was mounted over it, return -ESTALE, so that this
 * other file system is not reconfigured. */
static int pick_mount(struct operation_objects *objects, size_t count)
{
    const uint64_t mount = mount_of(objects->target);
    struct mountinfo info;
    int code = mountinfo_read(mount, &info), point = code ? -1 : open(info.point, O_PATH);

    if (point < 0)
        return code ? code : -errno;
    errno = ESTALE;
    if (mount_of(point) == mount)
        objects->files[0] = (int)syscall(SYS_fspick, point, "", FSPICK_EMPTY_PATH | FSPICK_CLOEXEC);
    code = result_of(objects->files[0]);
    close(point);
    return code;
}

static int make_fsinfo(struct operation_objects *objects, size_t number)
{
    return result_of(
        syscall(SYS_fsconfig, objects->files[0], FSCONFIG_CMD_RECONFIGURE, NULL, NULL, 0));
}

static int make_fsstat(struct operation_objects *objects, size_t number)
{
    struct statfs status;

    return result_of(fstatfs(objects->target, &status));
}

#define CACHED      MOUNTED_CACHED
#define READ_CACHED MOUNTED_READ_CACHED

#define IN_SCRATCH .object = OPERATION_SCRATCH, .baseline = CACHED

const struct mounted_operation mounted_operations[] = {
    {CACHED, "statx with AT_STATX_DONT_SYNC", OPERATION_NO_RPC, .repeats = true,
     .make = make_cached},
    {READ_CACHED, "pread from the page cache", OPERATION_NO_RPC, .object = OPERATION_FILE,
     .baseline = CACHED, .repeats = true, .prepare = {choose_cached_offset},
     .settle = refresh_attributes, .make = make_read_cached, .check = check_read_cached},
    {"getattr", "statx with AT_STATX_FORCE_SYNC", NFSPROC3_GETATTR, .baseline = CACHED,
     .repeats = true, .make = make_getattr},
    {"setattr", "futimens", NFSPROC3_SETATTR, IN_SCRATCH, .prepare = {choose_time},
     .make = make_setattr},
    {"lookup", "statx of an unknown name", NFSPROC3_LOOKUP, IN_SCRATCH, .prepare = {choose_name},
     .make = make_lookup},
    {"access", "faccessat of a new file", NFSPROC3_ACCESS, IN_SCRATCH,
     .prepare = {choose_name, make_create, close_file, open_path}, .make = make_access,
     .clear = {close_file, remove_name}},
    {"readlink", "readlinkat of a link whose text is not cached", NFSPROC3_READLINK, IN_SCRATCH,
     .prepare = {choose_name, make_symlink, open_path}, .settle = add_second_names,
     .make = make_readlink, .clear = {close_file, remove_new_name, remove_name}},
    {"read", "pread with O_DIRECT", NFSPROC3_READ, .object = OPERATION_FILE,
     .baseline = READ_CACHED, .repeats = true, .prepare = {choose_offset}, .make = make_read,
     .check = check_read},
    {"read-last-byte", "pread of the last byte, not in the page cache", NFSPROC3_READ,
     .object = OPERATION_FILE, .baseline = CACHED, .settle = refresh_attributes,
     .renew = drop_last_page, .make = make_read_last_byte, .check = check_last_byte},
    {"write", "pwrite with O_DIRECT and O_DSYNC", NFSPROC3_WRITE, IN_SCRATCH, .repeats = true,
     .prepare = {choose_write_offset}, .renew = renew_data, .make = make_write,
     .check = note_written, .clear = {read_back}},
    {"create", "openat with O_CREAT", NFSPROC3_CREATE, IN_SCRATCH,
     .prepare = {choose_name, make_lookup}, .make = make_create,
     .clear = {close_file, remove_name}},
    {"mkdir", "mkdirat", NFSPROC3_MKDIR, IN_SCRATCH, .prepare = {choose_name}, .make = make_mkdir,
     .clear = {remove_directory}},
    {"symlink", "symlinkat", NFSPROC3_SYMLINK, IN_SCRATCH, .prepare = {choose_name},
     .make = make_symlink, .clear = {remove_name}},
    {"mknod", "mknodat of a FIFO", NFSPROC3_MKNOD, IN_SCRATCH, .prepare = {choose_name},
     .make = make_mknod, .clear = {remove_name}},
    {"remove", "unlinkat", NFSPROC3_REMOVE, IN_SCRATCH,
     .prepare = {choose_name, make_create, close_file}, .make = remove_name},
    {"rmdir", "unlinkat with AT_REMOVEDIR", NFSPROC3_RMDIR, IN_SCRATCH,
     .prepare = {choose_name, make_mkdir}, .make = remove_directory},
    {"rename", "renameat", NFSPROC3_RENAME, IN_SCRATCH,
     .prepare = {choose_name, make_create, close_file}, .make = make_rename,
     .clear = {remove_new_name}},
    {"link", "linkat", NFSPROC3_LINK, IN_SCRATCH,
     .prepare = {choose_name, make_create, close_file, ask_for_rights}, .make = make_link,
     .clear = {remove_new_name, remove_name}},
    {"readdir", "getdents64 of a new directory", NFSPROC3_READDIR, IN_SCRATCH,
     .needs = "nordirplus", .prepare = {choose_name, make_mkdir, open_directory},
     .make = make_readdir, .clear = {close_file, remove_directory}},
    {"readdirplus", "getdents64 of a new directory", NFSPROC3_READDIRPLUS, IN_SCRATCH,
     .prepare = {choose_name, make_mkdir, open_directory}, .make = make_readdir,
     .clear = {close_file, remove_directory}},
    {"fsstat", "fstatfs", NFSPROC3_FSSTAT, .baseline = CACHED, .repeats = true,
     .make = make_fsstat},
    {"fsinfo", "fsconfig with FSCONFIG_CMD_RECONFIGURE", NFSPROC3_FSINFO, .baseline = CACHED,
     .settle = pick_mount, .make = make_fsinfo, .clear = {close_file}},
    {"commit", "fdatasync of data that are written", NFSPROC3_COMMIT, IN_SCRATCH,
     .needs = "write=eager", .prepare = {choose_name, make_create, write_data}, .make = make_commit,
     .clear = {close_file, remove_name}},
    {"open", "openat of a file not opened before", NFSPROC3_GETATTR, NFSPROC3_ACCESS, IN_SCRATCH,
     .prepare = {choose_name, make_create, close_file}, .make = make_open,
     .clear = {close_file, remove_name}},
    {"stat-new", "statx of an unknown name in a new directory", NFSPROC3_ACCESS, NFSPROC3_LOOKUP,
     IN_SCRATCH, .prepare = {choose_name, make_mkdir, choose_name_below}, .make = make_stat_new,
     .clear = {remove_directory}},
    {"create-new", "openat with O_CREAT and O_EXCL", NFSPROC3_CREATE, NFSPROC3_SETATTR, IN_SCRATCH,
     .prepare = {choose_name}, .make = make_create_new, .clear = {close_file, remove_name}},
    {"create-close", "openat with O_CREAT, write of a byte, close", NFSPROC3_CREATE, NFSPROC3_WRITE,
     IN_SCRATCH, .needs = "write=lazy", .prepare = {choose_name, make_lookup},
     .make = make_create_close, .clear = {remove_name}},
    {.op = NULL},
};
