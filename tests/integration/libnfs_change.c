/* Changes the embedded server's export through libnfs, an NFS client that shares nothing with this
 * project, and looks whether each change is there. All of it happens in a directory of its own,
 * which is gone in the end.
 *
 * usage: libnfs_change PORT         do it; the first difference is reported, and ends the program
 *        libnfs_change PORT list    print what the export's root holds, and how many objects there
 *                                   are in all */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>

#include <nfsc/libnfs.h>

#define HOME "/libnfs_change"

enum {
    TIMEOUT_MS = 20 * 1000, /* for each call */
    DATA_SIZE = 3 << 20,    /* longer than one WRITE or READ */
    ENTRIES = 10000,
    PATH_SIZE = 100,
};

static struct nfs_context *nfs;

static _Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void die(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    fputs("libnfs_change: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* CALL must succeed; returns its result. */
static int must_succeed(const char *what, int code)
{
    if (code < 0)
        die("%s: %s (%s)", what, strerror(-code), nfs_get_error(nfs));
    return code;
}

/* CALL must fail with the errno EXPECTED. */
static void must_fail(const char *what, int code, int expected)
{
    if (code != -expected)
        die("%s: %d instead of %s", what, code, strerror(expected));
}

#define DO(call)            must_succeed(#call, call)
#define REFUSED(call, code) must_fail(#call, call, code)
#define IS(condition)                                                                              \
    do {                                                                                           \
        if (!(condition))                                                                          \
            die("line %d: not so: %s", __LINE__, #condition);                                      \
    } while (0)

/* Calls */

static struct nfsfh *open_file(const char *path, int flags)
{
    struct nfsfh *file;

    if (nfs_open(nfs, path, flags, &file) != 0)
        die("open %s: %s", path, nfs_get_error(nfs));
    return file;
}

static void make_file(const char *path)
{
    struct nfsfh *file;

    if (nfs_creat(nfs, path, 0644, &file) != 0)
        die("creat %s: %s", path, nfs_get_error(nfs));
    DO(nfs_close(nfs, file));
}

static struct nfs_stat_64 attributes_of(const char *path)
{
    struct nfs_stat_64 attributes;

    if (nfs_lstat64(nfs, path, &attributes) != 0)
        die("lstat %s: %s", path, nfs_get_error(nfs));
    return attributes;
}

static void must_be_gone(const char *path)
{
    struct nfs_stat_64 attributes;

    REFUSED(nfs_lstat64(nfs, path, &attributes), ENOENT);
}

/* The number of objects on the whole export. */
static uint64_t count_objects(void)
{
    struct nfs_statvfs_64 all;

    DO(nfs_statvfs64(nfs, "/", &all));
    return all.f_files - all.f_ffree;
}

static void read_is(struct nfsfh *file, uint64_t offset, const void *bytes, size_t length)
{
    char *got = calloc(1, length);

    for (size_t done = 0; done < length;) {
        int count = DO(nfs_pread(nfs, file, offset + done, length - done, got + done));

        if (count == 0)
            die("the file ends at %" PRIu64, offset + done);
        done += (size_t)count;
    }
    if (memcmp(got, bytes, length) != 0)
        die("%zu bytes at %" PRIu64 " are not what was written", length, offset);
    free(got);
}

static void write_at(struct nfsfh *file, uint64_t offset, const char *bytes, size_t length)
{
    for (size_t done = 0; done < length;)
        done += (size_t)DO(nfs_pwrite(nfs, file, offset + done, length - done, bytes + done));
}

/* The changes */

static void change_data(void)
{
    char *data = malloc(DATA_SIZE);
    struct nfsfh *file;

    for (size_t i = 0; i < DATA_SIZE; i++)
        data[i] = (char)(i * i >> 7);
    make_file(HOME "/data");
    file = open_file(HOME "/data", O_RDWR);
    write_at(file, 0, data, DATA_SIZE);
    read_is(file, 0, data, DATA_SIZE);
    IS(attributes_of(HOME "/data").nfs_size == DATA_SIZE);
    write_at(file, 4095, "over a page's end", 17);
    memcpy(data + 4095, "over a page's end", 17);
    read_is(file, 0, data, DATA_SIZE);
    /* A file that was truncated and extended again contains zeros. */
    DO(nfs_ftruncate(nfs, file, 5000));
    IS(attributes_of(HOME "/data").nfs_size == 5000);
    DO(nfs_ftruncate(nfs, file, 20000));
    memset(data + 5000, 0, 15000);
    read_is(file, 0, data, 20000);
    DO(nfs_truncate(nfs, HOME "/data", 0));
    IS(attributes_of(HOME "/data").nfs_size == 0);
    DO(nfs_close(nfs, file));
    free(data);
}

/* A byte at a large offset uses no space before it. */
static void write_far_out(void)
{
    const uint64_t far = UINT64_C(1) << 40;
    static const char zeros[10000];
    struct nfsfh *file;

    make_file(HOME "/sparse");
    file = open_file(HOME "/sparse", O_RDWR);
    write_at(file, far, "far out", 7);
    read_is(file, far, "far out", 7);
    read_is(file, 0, zeros, sizeof zeros);
    read_is(file, far - sizeof zeros, zeros, sizeof zeros);
    IS(attributes_of(HOME "/sparse").nfs_size == far + 7);
    IS(attributes_of(HOME "/sparse").nfs_used < 1 << 20);
    DO(nfs_close(nfs, file));
    DO(nfs_unlink(nfs, HOME "/sparse"));
}

static void change_attributes(void)
{
    struct timeval times[2] = {{1000000000, 250000}, {1500000000, 500000}};
    struct nfs_stat_64 attributes;

    DO(nfs_chmod(nfs, HOME "/data", 0640));
    DO(nfs_utimes(nfs, HOME "/data", times));
    attributes = attributes_of(HOME "/data");
    IS(attributes.nfs_mode == (S_IFREG | 0640));
    IS(attributes.nfs_atime == 1000000000 && attributes.nfs_atime_nsec == 250000000);
    IS(attributes.nfs_mtime == 1500000000 && attributes.nfs_mtime_nsec == 500000000);
    IS(attributes.nfs_ctime > 1500000000);
}

static void change_names(void)
{
    uint64_t number = attributes_of(HOME "/data").nfs_ino;

    DO(nfs_mkdir(nfs, HOME "/sub"));
    IS(S_ISDIR((mode_t)attributes_of(HOME "/sub").nfs_mode));
    IS(attributes_of(HOME).nfs_nlink == 3);
    DO(nfs_rename(nfs, HOME "/data", HOME "/sub/moved"));
    must_be_gone(HOME "/data");
    IS(attributes_of(HOME "/sub/moved").nfs_ino == number);
    DO(nfs_link(nfs, HOME "/sub/moved", HOME "/twin"));
    IS(attributes_of(HOME "/twin").nfs_ino == number);
    IS(attributes_of(HOME "/twin").nfs_nlink == 2);
    /* Onto an existing file. */
    make_file(HOME "/data");
    DO(nfs_rename(nfs, HOME "/sub/moved", HOME "/data"));
    IS(attributes_of(HOME "/data").nfs_ino == number);
    DO(nfs_unlink(nfs, HOME "/twin"));
    must_be_gone(HOME "/twin");
    IS(attributes_of(HOME "/data").nfs_nlink == 1);
    DO(nfs_rmdir(nfs, HOME "/sub"));
    IS(attributes_of(HOME).nfs_nlink == 2);
}

static void make_symlink(void)
{
    struct nfs_stat_64 attributes;
    char text[PATH_SIZE];

    DO(nfs_symlink(nfs, "data", HOME "/link"));
    DO(nfs_readlink(nfs, HOME "/link", text, sizeof text));
    IS(strcmp(text, "data") == 0);
    IS(S_ISLNK((mode_t)attributes_of(HOME "/link").nfs_mode));
    DO(nfs_stat64(nfs, HOME "/link", &attributes)); /* the object that it points to */
    IS(S_ISREG((mode_t)attributes.nfs_mode));
    DO(nfs_unlink(nfs, HOME "/link"));
}

static void be_refused(void)
{
    struct nfsfh *file;

    DO(nfs_create(nfs, HOME "/only", O_CREAT | O_EXCL | O_RDWR, 0600, &file));
    DO(nfs_close(nfs, file));
    REFUSED(nfs_create(nfs, HOME "/only", O_CREAT | O_EXCL | O_RDWR, 0600, &file), EEXIST);
    REFUSED(nfs_mkdir(nfs, HOME "/only"), EEXIST);
    REFUSED(nfs_rmdir(nfs, HOME), ENOTEMPTY);
    REFUSED(nfs_rmdir(nfs, HOME "/only"), ENOTDIR);
    REFUSED(nfs_unlink(nfs, HOME "/nothing"), ENOENT);
    REFUSED(nfs_open(nfs, HOME "/nothing", O_RDONLY, &file), ENOENT);
    REFUSED(nfs_symlink(nfs, "only", HOME "/only"), EEXIST);
    REFUSED(nfs_link(nfs, HOME "/data", HOME "/only"), EEXIST);
    DO(nfs_unlink(nfs, HOME "/only"));
}

/* A large directory */

static void entry_path(char path[PATH_SIZE], unsigned number)
{
    snprintf(path, PATH_SIZE, HOME "/many/entry-%05u", number);
}

/* The number in an entry's name; the directory itself and its parent have none. */
static bool is_numbered(const char *name, unsigned *number)
{
    char path[PATH_SIZE];

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return false;
    if (sscanf(name, "entry-%u", number) != 1 || *number >= ENTRIES)
        die("'%s' is listed, and was never made", name);
    entry_path(path, *number);
    if (strcmp(strrchr(path, '/') + 1, name) != 0)
        die("'%s' is listed, and was never made", name);
    return true;
}

/* Each entry from FIRST on, in steps of STEP, is listed once, and no other is listed. */
static void list_is(unsigned first, unsigned step)
{
    static unsigned char times[ENTRIES];
    struct nfsdirent *entry;
    struct nfsdir *list;
    unsigned number;

    memset(times, 0, sizeof times);
    DO(nfs_opendir(nfs, HOME "/many", &list));
    while ((entry = nfs_readdir(nfs, list)))
        if (is_numbered(entry->name, &number))
            times[number]++;
    nfs_closedir(nfs, list);
    for (unsigned i = 0; i < ENTRIES; i++)
        if (times[i] != (i >= first && (i - first) % step == 0))
            die("entry %u is listed %u times", i, times[i]);
}

static void make_many(void)
{
    uint64_t before = count_objects();
    char path[PATH_SIZE];

    DO(nfs_mkdir2(nfs, HOME "/many", 0700));
    for (unsigned i = 0; i < ENTRIES; i++) {
        entry_path(path, i);
        make_file(path);
    }
    IS(count_objects() == before + 1 + ENTRIES);
    list_is(0, 1);
    for (unsigned removed = 0; removed < 2; removed++) {
        for (unsigned i = removed; i < ENTRIES; i += 2) {
            entry_path(path, i);
            DO(nfs_unlink(nfs, path));
        }
        list_is(removed ? ENTRIES : 1, 2);
    }
    DO(nfs_rmdir(nfs, HOME "/many"));
    IS(count_objects() == before);
}

static void look_at_space(void)
{
    struct nfs_statvfs_64 all;

    DO(nfs_statvfs64(nfs, HOME, &all));
    IS(all.f_blocks > 0 && all.f_bfree > 0 && all.f_bfree <= all.f_blocks);
    IS(all.f_files > all.f_ffree);
}

static void do_all(void)
{
    DO(nfs_mkdir2(nfs, HOME, 0755));
    IS(attributes_of(HOME).nfs_mode == (S_IFDIR | 0755));
    change_data();
    write_far_out();
    change_attributes();
    change_names();
    make_symlink();
    be_refused();
    look_at_space();
    make_many();
    DO(nfs_unlink(nfs, HOME "/data"));
    DO(nfs_rmdir(nfs, HOME));
    must_be_gone(HOME);
}

/* The program */

static void list_root(void)
{
    struct nfsdirent *entry;
    struct nfsdir *list;

    DO(nfs_opendir(nfs, "/", &list));
    while ((entry = nfs_readdir(nfs, list)))
        printf("%s %" PRIu64 "\n", entry->name, entry->size);
    nfs_closedir(nfs, list);
    printf("%" PRIu64 " objects\n", count_objects());
}

static void mount_port(const char *port)
{
    struct nfs_url *url;
    char text[PATH_SIZE];

    snprintf(text, sizeof text, "nfs://127.0.0.1/export?version=3&nfsport=%s&mountport=%s", port,
             port);
    nfs = nfs_init_context();
    url = nfs ? nfs_parse_url_dir(nfs, text) : NULL;
    if (!url)
        die("libnfs does not take %s", text);
    nfs_set_timeout(nfs, TIMEOUT_MS);
    nfs_set_autoreconnect(nfs, 0);
    nfs_set_dircache(nfs, 0); /* listings must come from the server */
    DO(nfs_mount(nfs, url->server, url->path));
    nfs_destroy_url(url);
}

int main(int argc, char **argv)
{
    bool list = argc == 3 && strcmp(argv[2], "list") == 0;

    if (argc != 2 && !list)
        die("usage: libnfs_change PORT [list]");
    mount_port(argv[1]);
    if (list)
        list_root();
    else
        do_all();
    DO(nfs_umount(nfs));
    nfs_destroy_context(nfs);
    return 0;
}
