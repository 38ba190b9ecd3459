#include "capture/tshark.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/child.h"
#include "common/descriptors.h"

enum { ARGUMENTS_MAXIMUM = 160 };

/* -n: no names are looked up. -M: after so many packets, what is kept of all is forgotten. Ports
 * say nothing about a server of ours, so what looks like RPC comes before what they stand for.
 * After a lost packet, the next record that begins is looked for; to wait for the packet instead
 * (tcp.reassemble_out_of_order) would be to lose the rest of the connection. */
static const char *const options[] = {
    "tshark", "-n",
    "-M",     "100000",
    "-o",     "tcp.try_heuristic_first:TRUE",
    "-o",     "udp.try_heuristic_first:TRUE",
    "-o",     "rpc.find_fragment_start:TRUE",
    "-T",     "fields",
    "-E",     "separator=/t",
    "-E",     "occurrence=a",
    "-E",
};

static void make_arguments(const char *arguments[ARGUMENTS_MAXIMUM], const char *path,
                           const char *filter, const char *const *fields, const char *aggregator)
{
    size_t count = sizeof options / sizeof options[0];

    memcpy(arguments, options, sizeof options);
    arguments[count++] = aggregator;
    arguments[count++] = "-r";
    arguments[count++] = path;
    if (filter) {
        arguments[count++] = "-Y";
        arguments[count++] = filter;
    }
    for (; *fields && count < ARGUMENTS_MAXIMUM - 2; fields++) {
        arguments[count++] = "-e";
        arguments[count++] = *fields;
    }
    arguments[count] = NULL;
}

/* Each line goes to TAKE. 0, or a negative errno. */
static int read_lines(int fd, void (*take)(void *context, char *line), void *context)
{
    FILE *lines = fdopen(fd, "r");
    char *line = NULL;
    size_t size = 0;
    int code;

    if (!lines) {
        close(fd);
        return -ENOMEM;
    }
    while (getline(&line, &size, lines) >= 0)
        take(context, line);
    code = feof(lines) ? 0 : -ENOMEM;
    free(line);
    fclose(lines);
    return code;
}

/* What tshark said first in its own name, or else last: as root it begins with a warning, and it
 * ends with a drawing of where a filter is wrong. */
static void read_complaint(FILE *complaints, char complaint[TSHARK_COMPLAINT_SIZE])
{
    static const char name[] = "tshark: ";
    char line[TSHARK_COMPLAINT_SIZE];

    rewind(complaints);
    while (fgets(line, sizeof line, complaints)) {
        bool own = strncmp(line, name, strlen(name)) == 0;

        line[strcspn(line, "\n")] = '\0';
        if (line[0])
            snprintf(complaint, TSHARK_COMPLAINT_SIZE, "%s", own ? line + strlen(name) : line);
        if (own)
            return;
    }
}

static int start(pid_t *pid, int *output, const char *const *arguments, FILE *complaints)
{
    int pipes[1][2], code = descriptors_pipes(pipes, 1);

    if (code)
        return code;
    setenv("WIRESHARK_CONFIG_DIR", "/nonexistent", 1); /* settings could change what is printed */
    code = child_start(pid, arguments, (int[]){-1, pipes[0][1], fileno(complaints)});
    close(pipes[0][1]);
    if (code)
        close(pipes[0][0]);
    *output = pipes[0][0];
    return code;
}

static int run(const char *const *arguments, void (*take)(void *context, char *line), void *context,
               FILE *complaints, char complaint[TSHARK_COMPLAINT_SIZE])
{
    int output, status, code;
    pid_t pid;

    complaint[0] = '\0';
    code = start(&pid, &output, arguments, complaints);
    if (code)
        return code;
    code = read_lines(output, take, context);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (code || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
        return code;
    read_complaint(complaints, complaint);
    if (!complaint[0] || WIFSIGNALED(status))
        snprintf(complaint, TSHARK_COMPLAINT_SIZE, "tshark ended by %s %d",
                 WIFSIGNALED(status) ? "signal" : "status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return 0;
}

int tshark_run(const char *path, const char *filter, const char *const *fields,
               const char *aggregator, void (*take)(void *context, char *line), void *context,
               char complaint[TSHARK_COMPLAINT_SIZE], struct error *error)
{
    const char *arguments[ARGUMENTS_MAXIMUM];
    char option[32];
    FILE *complaints = tmpfile();
    int code;

    snprintf(option, sizeof option, "aggregator=%s", aggregator);
    make_arguments(arguments, path, filter, fields, option);
    code = complaints ? run(arguments, take, context, complaints, complaint) : -errno;
    if (complaints)
        fclose(complaints);
    if (code == -ENOENT)
        return error_set(error, ERROR_USAGE, code,
                         "captures are read by tshark, which is not in the PATH; install it "
                         "(Debian: apt-get install tshark)");
    return code ? error_set(error, ERROR_FAILED, code, "running tshark: %s", strerror(-code)) : 0;
}
