#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "file_sandbox.h"

FILE_TEST(new_file)
{
    assert_all((write_checked("result.json", "whole"), 0), (text_in("result.json"), "whole"),
               (status_of("result.json").st_mode, S_IFREG | 0644), (names_in("."), "result.json "));
    umask(077);
    assert_int_equal(write_checked("private.json", "whole"), 0);
    assert_int_equal(status_of("private.json").st_mode, S_IFREG | 0600);
}

FILE_TEST(names_beside_are_left_alone)
{
    put("victim", "precious");
    assert_int_equal(symlink("victim", "result.json.partial"), 0);
    put("other.json.partial", "the user's own");
    assert_all(
        (write_checked("result.json", "new"), 0), (write_checked("other.json", "new"), 0),
        (text_in("victim"), "precious"), (text_in("other.json.partial"), "the user's own"),
        (status_of("result.json.partial").st_mode & S_IFMT, S_IFLNK),
        (names_in("."), "other.json other.json.partial result.json result.json.partial victim "));
}

FILE_TEST(links_are_followed_and_stay)
{
    assert_all((mkdir("results", 0777), 0), (mkdir("links", 0777), 0));
    put("results/today", "old");
    assert_all(
        (symlink("../results/today", "links/latest"), 0),
        (symlink("links/latest", "result.json"), 0), (write_checked("result.json", "new"), 0),
        (text_in("results/today"), "new"), (status_of("result.json").st_mode & S_IFMT, S_IFLNK),
        (status_of("links/latest").st_mode & S_IFMT, S_IFLNK),
        (status_of("results/today").st_mode & S_IFMT, S_IFREG), (names_in("links"), "latest "));
    assert_all((symlink("results/tomorrow", "next.json"), 0),
               (write_checked("next.json", "first"), 0), (text_in("results/tomorrow"), "first"),
               (status_of("next.json").st_mode & S_IFMT, S_IFLNK),
               (names_in("."), "links next.json result.json results "));
}

FILE_TEST(links_to_nowhere)
{
    assert_all((symlink("b", "a"), 0), (symlink("a", "b"), 0), (symlink("none/file", "c"), 0),
               (file_check("--json", "a", &error), -ELOOP), (write_file("a", "x"), -ELOOP),
               (file_check("--json", "c", &error), -ENOENT), (names_in("."), "a b c "));
}

FILE_TEST(rights_are_kept)
{
    static const mode_t modes[] = {0600, 0640, 0666, 0755};

    put("result.json", "old");
    for (size_t i = 0; i < COUNT_OF(modes); i++)
        assert_all((chmod("result.json", modes[i]), 0), (write_checked("result.json", "new"), 0),
                   (status_of("result.json").st_mode, S_IFREG | modes[i]));
    if (geteuid() != 0)
        return;
    assert_all((chown("result.json", 1234, 2345), 0), (write_checked("result.json", "newer"), 0),
               (status_of("result.json").st_uid, 1234), (status_of("result.json").st_gid, 2345));
}

static int write_and_fail(const void *text, FILE *out)
{
    fputs(text, out);
    fflush(out);
    return -EIO;
}

FILE_TEST(failure_changes_nothing)
{
    struct stat before;

    put("result.json", "old");
    before = status_of("result.json");
    assert_all((file_write(write_and_fail, "half", "--json", "result.json", &error), -EIO),
               (error.kind, ERROR_FAILED),
               (file_write(write_and_fail, "half", "--json", "new.json", &error), -EIO),
               (text_in("result.json"), "old"), (status_of("result.json").st_ino, before.st_ino),
               (status_of("result.json").st_mtim.tv_nsec, before.st_mtim.tv_nsec),
               (names_in("."), "result.json "));
}

FILE_TEST(check_changes_nothing)
{
    struct stat before;

    put("result.json", "old");
    assert_int_equal(symlink("later", "link"), 0);
    before = status_of(".");
    assert_all((file_check("--json", "result.json", &error), 0),
               (file_check("--json", "new.json", &error), 0),
               (file_check("--json", "link", &error), 0), (text_in("result.json"), "old"),
               (names_in("."), "link result.json "),
               (status_of(".").st_mtim.tv_nsec, before.st_mtim.tv_nsec));
}

FILE_TEST(what_is_no_file)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    char name[302] = "";
    const struct {
        const char *path;
        int code;
    } cases[] = {
        {"directory", -EISDIR}, {"link", -EISDIR},      {"directory/", -EISDIR},
        {".", -EISDIR},         {"..", -EISDIR},        {"/", -EISDIR},
        {"", -ENOENT},          {"none/file", -ENOENT}, {"file/file", -ENOTDIR},
        {"socket", -ENXIO},     {name, -ENAMETOOLONG},
    };

    assert_all((mkdir("directory", 0777), 0), (symlink("directory", "link"), 0),
               (bind(fd, (struct sockaddr *)&address, sizeof address), 0));
    put("file", "");
    memset(name, 'x', sizeof name - 1);
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_all((file_check("--json", cases[i].path, &error), cases[i].code),
                   (error.kind, ERROR_USAGE), (strstr(error.text, "--json")),
                   (write_file(cases[i].path, "x"), cases[i].code));
    assert_string_equal(names_in("."), "directory file link socket ");
    close(fd);
}

FILE_TEST(devices_and_pipes)
{
    char text[16] = "";
    int fd;

    assert_int_equal(write_checked("/dev/null", "gone"), 0);
    assert_all((status_of("/dev/null").st_mode & S_IFMT, S_IFCHR), (mkfifo("pipe", 0666), 0));
    fd = open("pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_all((write_checked("pipe", "through it"), 0), (read(fd, text, sizeof text), 10),
               (text, "through it"), (status_of("pipe").st_mode & S_IFMT, S_IFIFO));
    close(fd);
}

/* A file that is open, and is named by a path like /dev/stdout, is appended to, not replaced. */
FILE_TEST(open_file_is_appended_to)
{
    char path[32];
    int fd;
    ino_t before;

    put("log", "first\n");
    before = status_of("log").st_ino;
    fd = open("log", O_WRONLY | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    assert_all((symlink(path, "out"), 0), (write_checked("out", "second\n"), 0),
               (write_checked(path, "third\n"), 0), (text_in("log"), "first\nsecond\nthird\n"),
               (status_of("log").st_ino, before), (names_in("."), "log out "));
    close(fd);
}

static int write_and_be_killed(const void *text, FILE *out)
{
    fputs(text, out);
    fflush(out);
    return raise(SIGKILL);
}

static int killed_while_writing(void)
{
    return file_write(write_and_be_killed, "half", "--json", "result.json", &error) == 0;
}

FILE_TEST(killed)
{
    put("result.json", "old");
    assert_all((WIFSIGNALED(in_child(killed_while_writing))), (text_in("result.json"), "old"));
}

FILE_TEST(forms_have_a_file_each)
{
    struct file_form forms[] = {{"--json", "a", write_text, NULL},
                                {"--csv", "b", write_text, NULL},
                                {"--openmetrics", NULL, write_text, NULL},
                                {"--hist", "a", write_text, NULL}};

    assert_int_equal(file_forms_check(forms, 3, &error), 0);
    assert_int_equal(file_forms_check(forms, 4, &error), -EINVAL);
    assert_non_null(strstr(error.text, "--hist a: --json goes there already"));
    forms[3].path = "./a";
    assert_int_equal(file_forms_check(forms, 4, &error), -EINVAL);
    forms[0].path = forms[3].path = "/dev/null";
    assert_all((file_forms_check(forms, 4, &error), 0), (names_in("."), ""));
}

FILE_TEST(paths_to_one_file)
{
    assert_all((file_is_same("a", "./a")), (!file_is_same("a", "b")),
               (!file_is_same("none/a", "none/a")), (!file_is_same("/dev/null", "/dev/null")));
    assert_int_equal(symlink("a", "link"), 0);
    assert_true(file_is_same("a", "link"));
    put("a", "old");
    put("b", "old");
    assert_all((file_is_same("link", "a")), (!file_is_same("a", "b")), (!file_is_same("a", "c")));
}

FILE_TEST(nothing_is_replaced_unasked)
{
    file_force(false);
    put("old.csv", "old");
    put("empty", "");
    assert_all((file_check("--csv", "old.csv", &error), -EEXIST), (error.kind, ERROR_USAGE),
               (strstr(error.text, "old.csv: it exists; give another name, or --force")),
               (write_file("old.csv", "new"), -EEXIST), (error.kind, ERROR_FAILED),
               (strstr(error.text, "what was found is in old.new.csv")),
               (write_file("old.csv", "newer"), -EEXIST), (text_in("old.csv"), "old"),
               (text_in("old.new.csv"), "new"), (text_in("old.new-2.csv"), "newer"),
               (write_checked("empty", "new"), 0),
               (file_replace(write_text, "own", "--json", "old.csv", &error), 0));
    assert_string_equal(text_in("old.csv"), "own");
    file_force(true);
    assert_int_equal(write_checked("old.csv", "forced"), 0);
    assert_string_equal(names_in("."), "empty old.csv old.new-2.csv old.new.csv ");
}

#define RESULT_WITH(more, op)                                                                      \
    "{\"schema\": \"nfsbench-result/2\", \"kind\": \"services\", \"host\": {\"name\": "            \
    "\"here\"}, "                                                                                  \
    "\"target\": \"self:\", " more "\"op\": \"" op "\"}"

static int write_result(const char *path, const char *text)
{
    const struct file_result result = {write_text, text};

    return file_write_result(&result, write_text, text, "--json", path, &error);
}

static int write_other(const void *text, FILE *out)
{
    return write_text(text, out);
}

FILE_TEST(result_replaces_its_like)
{
    const char *first = RESULT_WITH("", "read"), *again = RESULT_WITH("\"n\": 2, ", "read"),
               *half = RESULT_WITH("\"cut_short_by\": \"interrupted\", ", "read"),
               *other = RESULT_WITH("", "write");
    const struct file_result result = {write_text, again};

    file_force(false);
    assert_all((write_result("a.json", half), 0), (write_result("a.json", first), 0),
               (write_result("a.json", again), 0), (text_in("a.json"), again),
               (write_result("a.json", other), -EEXIST),
               (strstr(error.text, "another choice of ops (read); what was found is in a.new")),
               (text_in("a.new.json"), other));
    /* A form that is not JSON replaces no JSON result. */
    assert_int_equal(file_write_result(&result, write_other, again, "--csv", "a.json", &error),
                     -EEXIST);
    file_force(true);
    assert_all((write_result("a.json", half), -EEXIST),
               (strstr(error.text, "cut short; what was found is in a.partial.json")),
               (text_in("a.json"), again), (write_result("a.json", other), 0),
               (names_in("."), "a.json a.new-2.json a.new.json a.partial.json "));
}
