/* Writing files where permissions, mounts or other users matter. A test is skipped if it needs root
 * or a mount namespace and has none. */
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>

#include "file_sandbox.h"

enum { OTHER_USER = 12345, SKIPPED = 77 };

/* Run BODY in a child process. The exit status SKIPPED skips the test; any other but 0 fails it. */
static void assert_child(int (*body)(void))
{
    int status = in_child(body);

    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == SKIPPED)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void need_root(void)
{
    if (geteuid() != 0)
        skip();
}

/* Another user's file in a directory like /tmp may be a trap, so it is not written. */
FILE_TEST(planted)
{
    need_root();
    assert_all((mkdir("shared", 0777), 0), (chmod("shared", 01777), 0));
    put("victim", "precious");
    put("shared/file", "planted");
    assert_all((symlink("../victim", "shared/link"), 0), (mkfifo("shared/pipe", 0666), 0));
    for (size_t i = 0; i < 3; i++) {
        static const char *const paths[] = {"shared/file", "shared/link", "shared/pipe"};

        assert_int_equal(lchown(paths[i], OTHER_USER, OTHER_USER), 0);
        assert_int_equal(file_check("--json", paths[i], &error), -EOWNERDEAD);
        assert_non_null(strstr(error.text, "another user's"));
        assert_int_equal(write_file(paths[i], "x"), -EOWNERDEAD);
    }
    assert_all((text_in("victim"), "precious"), (text_in("shared/file"), "planted"),
               (write_checked("shared/new", "ours"), 0), (write_checked("shared/new", "again"), 0),
               (names_in("shared"), "file link new pipe "));
    assert_all((chmod("shared", 0755), 0), (write_checked("shared/link", "followed"), 0),
               (text_in("victim"), "followed"));
}

static bool become_other(void)
{
    return setgroups(0, NULL) == 0 && setgid(OTHER_USER) == 0 && setuid(OTHER_USER) == 0;
}

static int as_other_user(void)
{
    if (!become_other())
        return SKIPPED;
    if (file_check("--json", "closed/new", &error) != -EACCES)
        return 1;
    if (file_check("--json", "open/read-only", &error) != -EACCES)
        return 2;
    return write_file("closed/new", "x") != -EACCES;
}

FILE_TEST(without_rights)
{
    need_root();
    assert_all((chmod(".", 0755), 0), (mkdir("closed", 0755), 0), (mkdir("open", 0777), 0),
               (chown("open", OTHER_USER, OTHER_USER), 0));
    put("open/read-only", "kept");
    assert_int_equal(chown("open/read-only", OTHER_USER, OTHER_USER), 0);
    assert_int_equal(chmod("open/read-only", 0444), 0);
    assert_child(as_other_user);
    assert_all((text_in("open/read-only"), "kept"), (names_in("closed"), ""));
}

/* If the user who writes can't give the new file the old file's group, the new file's group gets no
 * rights. */
static int write_anothers(void)
{
    return become_other() ? write_file("open/result.json", "new") : SKIPPED;
}

FILE_TEST(rights_that_cannot_be_kept)
{
    need_root();
    assert_all((chmod(".", 0755), 0), (mkdir("open", 0777), 0),
               (chown("open", OTHER_USER, OTHER_USER), 0));
    put("open/result.json", "old");
    assert_all((chmod("open/result.json", 0664), 0), (chown("open/result.json", 0, 0), 0));
    assert_child(write_anothers);
    assert_string_equal(text_in("open/result.json"), "new");
    assert_int_equal(status_of("open/result.json").st_uid, OTHER_USER);
    assert_int_equal(status_of("open/result.json").st_mode, S_IFREG | 0604);
}

static bool leave_namespace(void)
{
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static int write_to_mount_point(void)
{
    if (!leave_namespace() || mount("outside", "result.json", NULL, MS_BIND, NULL) != 0)
        return SKIPPED;
    return file_check("--json", "result.json", &error) || write_file("result.json", "new");
}

FILE_TEST(mount_point_is_written_in_place)
{
    put("outside", "a longer text");
    put("result.json", "below");
    assert_child(write_to_mount_point);
    assert_all((text_in("outside"), "new"), (text_in("result.json"), "below"),
               (names_in("."), "outside result.json "));
}

static int check_read_only(void)
{
    if (!leave_namespace() || mount("none", "place", "tmpfs", MS_RDONLY, NULL) != 0)
        return SKIPPED;
    return file_check("--json", "place/new", &error) != -EROFS;
}

FILE_TEST(read_only)
{
    assert_int_equal(mkdir("place", 0777), 0);
    assert_child(check_read_only);
}
